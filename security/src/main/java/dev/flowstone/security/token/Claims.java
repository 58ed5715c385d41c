package dev.flowstone.security.token;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Claims that the issuer has signed, read by rules. */
final class Claims {
    private static final Pattern SUBJECT = Pattern.compile("[!-~]{1,200}");
    private static final Predicate<String> ROLE =
            Pattern.compile("[^\\p{Cc}]{1,200}").asMatchPredicate();
    private static final int MOST_ROLES = 100;

    /** The end of the year 9999: beyond is no date that anybody means. */
    private static final BigDecimal LATEST = BigDecimal.valueOf(253_402_300_799L);

    private final JsonObject claims;
    private final TokenRules rules;

    Claims(JsonObject claims, TokenRules rules) {
        this.claims = claims;
        this.rules = rules;
    }

    Token token(Instant now) throws RefusedToken {
        issuer();
        audience();
        Instant until = times(now);
        String subject = text("sub")
                .filter(SUBJECT.asMatchPredicate())
                .orElseThrow(() -> RefusedToken.invalid(
                        "its sub is not a name of 1 to 200 printable ASCII characters without a space"));
        if (Subjects.isReserved(subject)) {
            throw RefusedToken.invalid("its sub is '" + subject + "', which stands for nobody in particular here");
        }
        return new Token(
                tenant(),
                new Actor(isService() ? "service" : "user", subject),
                text("name"),
                text("email"),
                roles(),
                scopes(),
                until);
    }

    private void issuer() throws RefusedToken {
        if (text("iss").filter(rules.issuer()::equals).isEmpty()) {
            throw new RefusedToken(
                    Refusal.TOKEN_WRONG_ISSUER, "its iss is not " + rules.issuer() + ", whose tokens are taken here");
        }
    }

    private void audience() throws RefusedToken {
        boolean ours = texts(claims.get("aud"), "aud", false).contains(rules.audience());
        if (!ours) {
            throw new RefusedToken(
                    Refusal.TOKEN_WRONG_AUDIENCE,
                    "it is for others: ask the issuer for one whose aud has " + rules.audience());
        }
    }

    /** Until when it is good. */
    private Instant times(Instant now) throws RefusedToken {
        Instant ends = date("exp").orElseThrow(() -> RefusedToken.invalid("it has no exp: it would be good for ever"));
        Instant until = ends.plus(rules.skew());
        if (!now.isBefore(until)) {
            throw new RefusedToken(Refusal.TOKEN_EXPIRED, "it was good until " + ends + "; get a new one");
        }
        for (String claim : List.of("nbf", "iat")) {
            Optional<Instant> begins = date(claim);
            if (begins.isPresent() && begins.get().isAfter(now.plus(rules.skew()))) {
                throw new RefusedToken(
                        Refusal.TOKEN_NOT_YET_VALID,
                        "by its " + claim + " it begins at " + begins.get() + ", and it is " + now
                                + " here: wait, or set the clocks right");
            }
        }
        return until;
    }

    private TenantId tenant() throws RefusedToken {
        String name = find(rules.tenantClaim()) instanceof JsonString(String text) ? text : "";
        if (!TenantNames.isName(name)) {
            throw new RefusedToken(
                    Refusal.TOKEN_WITHOUT_TENANT,
                    "its claim " + rules.tenantClaim() + " names no tenant: " + TenantNames.RULE);
        }
        return new TenantId(name);
    }

    /**
     * Whether a client was given it on its own behalf: its issuer says so in a claim of its own, or it is of a client of which whoever
     * runs the installation says so. Never since its subject has some name: there are issuers whose users choose theirs.
     */
    private boolean isService() throws RefusedToken {
        return text("gty").filter("client-credentials"::equals).isPresent()
                || text("idtyp").filter("app"::equals).isPresent()
                || isOfAService("client_id")
                || isOfAService("azp");
    }

    private boolean isOfAService(String claim) throws RefusedToken {
        return text(claim).filter(rules.serviceClients()::contains).isPresent();
    }

    private Set<String> roles() throws RefusedToken {
        Set<String> roles = texts(find(rules.rolesClaim()), rules.rolesClaim(), false);
        if (roles.size() > MOST_ROLES || !roles.stream().allMatch(ROLE)) {
            throw RefusedToken.invalid("its claim " + rules.rolesClaim() + " has more than " + MOST_ROLES
                    + " roles, or one that is not 1 to 200 characters");
        }
        return roles;
    }

    private Set<String> scopes() throws RefusedToken {
        Set<String> scopes = new LinkedHashSet<>();
        for (String claim : List.of("scope", "scp", "permissions")) {
            scopes.addAll(texts(claims.get(claim), claim, true));
        }
        return scopes;
    }

    private Optional<Instant> date(String claim) throws RefusedToken {
        return switch (claims.get(claim)) {
            case null -> Optional.empty();
            case JsonNumber number
            when number.decimalValue().signum() >= 0 && number.decimalValue().compareTo(LATEST) <= 0 ->
                Optional.of(Instant.ofEpochSecond(number.decimalValue().longValue()));
            default -> throw RefusedToken.invalid("its " + claim + " is no time: seconds since 1970");
        };
    }

    /** A claim that is a text; null is none. */
    private Optional<String> text(String claim) throws RefusedToken {
        return switch (claims.get(claim)) {
            case null -> Optional.empty();
            case JsonNull _ -> Optional.empty();
            case JsonString(String text) -> Optional.of(text);
            default -> throw RefusedToken.invalid("its " + claim + " is no text");
        };
    }

    /** A claim that is a text or a list of texts; null is none. */
    private static Set<String> texts(@Nullable JsonValue value, String claim, boolean spaces) throws RefusedToken {
        List<String> texts = new ArrayList<>();
        List<JsonValue> items = value instanceof JsonArray(List<JsonValue> all)
                ? all
                : Optional.ofNullable(value).filter(it -> !(it instanceof JsonNull)).stream()
                        .toList();
        for (JsonValue item : items) {
            if (!(item instanceof JsonString(String text))) {
                throw RefusedToken.invalid("its " + claim + " is neither a text nor a list of texts");
            }
            texts.addAll(spaces ? List.of(text.split(" ", -1)) : List.of(text));
        }
        texts.removeIf(String::isEmpty);
        return new LinkedHashSet<>(texts);
    }

    /** The claim of that name, or else of that path with dots between the names of members. */
    private @Nullable JsonValue find(String path) {
        JsonValue exact = claims.get(path);
        if (exact != null) {
            return exact;
        }
        JsonValue at = claims;
        for (String name : path.split("\\.", -1)) {
            at = at instanceof JsonObject object ? object.get(name) : null;
        }
        return at;
    }
}
