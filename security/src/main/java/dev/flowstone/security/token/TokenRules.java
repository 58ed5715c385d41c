package dev.flowstone.security.token;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Set;

/**
 * What tokens are taken.
 *
 * @param issuer that {@code iss} equals, character by character
 * @param audience that {@code aud} is, or has among its members
 * @param algorithms by which they may be signed
 * @param tenantClaim names the tenant
 * @param rolesClaim has the roles
 * @param skew by which the issuer's clock may differ from ours
 */
public record TokenRules(
        String issuer,
        String audience,
        Set<Algorithm> algorithms,
        String tenantClaim,
        String rolesClaim,
        Duration skew) {
    public static final String TENANT_CLAIM = "tenant_id";
    public static final String ROLES_CLAIM = "roles";
    public static final Duration SKEW = Duration.ofSeconds(60);

    /** Characters of a token; a longer one is refused unread. */
    public static final int MOST_CHARACTERS = 8 << 10;

    public TokenRules {
        if (issuer.isBlank() || audience.isBlank() || tenantClaim.isBlank() || rolesClaim.isBlank()) {
            throw new IllegalArgumentException("issuer, audience and the names of claims are not blank");
        }
        algorithms = Set.copyOf(algorithms);
        if (algorithms.isEmpty()) {
            throw new IllegalArgumentException("at least one algorithm is allowed, or no token can be");
        }
        requireNonNull(skew);
        if (skew.isNegative()) {
            throw new IllegalArgumentException("clocks differ by nothing or more, not by " + skew);
        }
    }

    /** Those of an issuer, everything else as usual. */
    public static TokenRules of(String issuer, String audience) {
        return new TokenRules(issuer, audience, Algorithm.DEFAULT, TENANT_CLAIM, ROLES_CLAIM, SKEW);
    }
}
