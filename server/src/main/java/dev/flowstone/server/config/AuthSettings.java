package dev.flowstone.server.config;

import dev.flowstone.security.token.Algorithm;
import dev.flowstone.security.token.TokenRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Who may call. */
final class AuthSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<Optional<Boolean>> LOOSE = GROUP.add(new Setting<>(
            "auth.loose",
            "true or false",
            "",
            "whether callers need no token, on the loopback interface only and without http.token; unless it is set, only"
                    + " without auth.jwt, too",
            false,
            AuthSettings::choice));
    static final Setting<Boolean> PRINCIPAL =
            GROUP.add(Setting.flag("auth.requirePrincipal", false, "whether a start has to say for whom it is"));
    static final Setting<String> JWT_ISSUER =
            GROUP.add(Setting.text("auth.jwt.issuer", "", "whose tokens are taken: their iss, exactly"));
    static final Setting<String> JWT_AUDIENCE =
            GROUP.add(Setting.text("auth.jwt.audience", "", "that their aud has to have"));
    static final Setting<String> JWT_KEYS =
            GROUP.add(Setting.text("auth.jwt.keys", "", "file or https URL of the issuer's keys, as a JWK set"));
    static final Setting<Set<Algorithm>> JWT_ALGORITHMS = GROUP.add(new Setting<>(
            "auth.jwt.algorithms",
            "names such as RS256,PS384,ES256,EdDSA with commas between them",
            "RS256,PS256,ES256,EdDSA",
            "by which tokens may be signed; none and HS… never",
            false,
            AuthSettings::algorithms));
    static final Setting<String> JWT_TENANT = GROUP.add(Setting.text(
            "auth.jwt.tenantClaim", TokenRules.TENANT_CLAIM, "claim that names the tenant; inner.name for one inside"));
    static final Setting<String> JWT_ROLES = GROUP.add(Setting.text(
            "auth.jwt.rolesClaim", TokenRules.ROLES_CLAIM, "claim with the roles; inner.name for one inside"));

    static final Setting<Set<String>> JWT_SERVICES = GROUP.add(new Setting<>(
            "auth.jwt.serviceClients",
            "names with commas between them",
            "",
            "clients (client_id, azp) with which nobody logs in: their tokens are a service's",
            false,
            text -> NameLists.names(text).collect(Collectors.toUnmodifiableSet())));
    static final Setting<Boolean> JWT_TYPE = GROUP.add(Setting.flag(
            "auth.jwt.requireAccessTokenType",
            false,
            "whether a token's header has to say at+jwt, so that no ID token does"));

    private AuthSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static AuthConfig of(Sources sources) throws ConfigException {
        Optional<AuthConfig.Jwt> jwt = jwt(sources);
        // Whoever has an issuer means its tokens to be asked for; that they aren't, they have to say.
        boolean loose = sources.value(LOOSE).orElse(jwt.isEmpty());
        return new AuthConfig(loose, sources.value(PRINCIPAL), jwt);
    }

    /** All of it or nothing: a part would look like protection and be none. */
    private static Optional<AuthConfig.Jwt> jwt(Sources sources) throws ConfigException {
        String issuer = sources.value(JWT_ISSUER);
        String audience = sources.value(JWT_AUDIENCE);
        String keys = sources.value(JWT_KEYS);
        TokenRules.Builder rules = rules(sources);
        if (issuer.isBlank() && audience.isBlank() && keys.isBlank()) {
            return Optional.empty();
        }
        List<String> missing = new ArrayList<>();
        for (Map.Entry<String, String> value : Map.of(
                        JWT_ISSUER.name(), issuer,
                        JWT_AUDIENCE.name(), audience,
                        JWT_KEYS.name(), keys)
                .entrySet()) {
            if (value.getValue().isBlank()) {
                missing.add(value.getKey());
            }
        }
        if (!missing.isEmpty()) {
            missing.sort(null);
            throw new ConfigException(
                    "AUTH_INCOMPLETE: tokens take auth.jwt.issuer, auth.jwt.audience and auth.jwt.keys"
                            + " together; set " + String.join(" and ", missing) + ", too");
        }
        return Optional.of(new AuthConfig.Jwt(
                rules.issuer(issuer).audience(audience).build(), keys, OutboundSettings.of(sources)));
    }

    /** Read also where no issuer is named, so that what can't be meant is told. */
    private static TokenRules.Builder rules(Sources sources) throws ConfigException {
        return TokenRules.builder()
                .algorithms(sources.value(JWT_ALGORITHMS))
                .tenantClaim(sources.value(JWT_TENANT))
                .rolesClaim(sources.value(JWT_ROLES))
                .serviceClients(sources.value(JWT_SERVICES))
                .accessTokenType(sources.value(JWT_TYPE));
    }

    /** True or false, or nothing said. */
    private static Optional<Boolean> choice(String text) {
        return switch (text) {
            case "" -> Optional.empty();
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    private static Set<Algorithm> algorithms(String text) {
        Set<Algorithm> algorithms = NameLists.names(text)
                .map(name -> Algorithm.named(name).orElseThrow(IllegalArgumentException::new))
                .collect(Collectors.toUnmodifiableSet());
        if (algorithms.isEmpty()) {
            throw new IllegalArgumentException("no algorithm");
        }
        return algorithms;
    }
}
