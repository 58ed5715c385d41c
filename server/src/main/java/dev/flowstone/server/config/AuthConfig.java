package dev.flowstone.server.config;

import static java.util.Objects.requireNonNull;

import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.security.token.TokenRules;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who may call.
 *
 * @param loose whether callers on the loopback interface need no token
 * @param principalRequired whether a start has to say for whom it is
 * @param jwt whose tokens are taken; empty for nobody's
 */
public record AuthConfig(boolean loose, boolean principalRequired, Optional<Jwt> jwt) {
    public AuthConfig {
        requireNonNull(jwt);
    }

    /**
     * An issuer's tokens.
     *
     * @param keys a file, or a URL as {@link #url} tells
     * @param outbound bounds on asking there
     */
    public record Jwt(TokenRules rules, String keys, OutboundConfig outbound) {
        private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

        public Jwt {
            requireNonNull(rules);
            requireNonNull(outbound);
            if (keys.contains("://") && !isUrl(keys)) {
                throw new IllegalArgumentException(
                        "auth.jwt.keys takes a file, or an https URL with a host and without a user; http only on the"
                                + " loopback interface");
            }
        }

        private static boolean isUrl(String text) {
            try {
                URI uri = new URI(text);
                String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
                return uri.getHost() != null
                        && uri.getRawUserInfo() == null
                        && (scheme.equals("https") || (scheme.equals("http") && LOOPBACK.contains(uri.getHost())));
            } catch (URISyntaxException e) {
                return false;
            }
        }

        /** Where the keys are, if it isn't a file. */
        public Optional<URI> url() {
            return keys.contains("://") ? Optional.of(URI.create(keys)) : Optional.empty();
        }
    }

    static AuthConfig of(Sources sources) throws ConfigException {
        Optional<Jwt> jwt = jwt(sources);
        // Whoever has an issuer means its tokens to be asked for; that they aren't, they have to say.
        boolean loose = sources.value(Settings.AUTH_LOOSE).orElse(jwt.isEmpty());
        return new AuthConfig(loose, sources.value(Settings.AUTH_PRINCIPAL), jwt);
    }

    /** All of it or nothing: a part would look like protection and be none. */
    private static Optional<Jwt> jwt(Sources sources) throws ConfigException {
        String issuer = sources.value(Settings.JWT_ISSUER);
        String audience = sources.value(Settings.JWT_AUDIENCE);
        String keys = sources.value(Settings.JWT_KEYS);
        TokenRules.Builder rules = rules(sources);
        if (issuer.isBlank() && audience.isBlank() && keys.isBlank()) {
            return Optional.empty();
        }
        List<String> missing = new ArrayList<>();
        for (Map.Entry<String, String> value : Map.of(
                        Settings.JWT_ISSUER.name(), issuer,
                        Settings.JWT_AUDIENCE.name(), audience,
                        Settings.JWT_KEYS.name(), keys)
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
        return Optional.of(
                new Jwt(rules.issuer(issuer).audience(audience).build(), keys, OutboundSettings.of(sources)));
    }

    /** Read also where no issuer is named, so that what can't be meant is told. */
    private static TokenRules.Builder rules(Sources sources) throws ConfigException {
        return TokenRules.builder()
                .algorithms(sources.value(Settings.JWT_ALGORITHMS))
                .tenantClaim(sources.value(Settings.JWT_TENANT))
                .rolesClaim(sources.value(Settings.JWT_ROLES))
                .serviceClients(sources.value(Settings.JWT_SERVICES))
                .accessTokenType(sources.value(Settings.JWT_TYPE));
    }
}
