package dev.flowstone.security.token;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Set;

/** What tokens are taken. Immutable. */
public final class TokenRules {
    public static final String TENANT_CLAIM = "tenant_id";
    public static final String ROLES_CLAIM = "roles";
    public static final Duration SKEW = Duration.ofSeconds(60);

    /** Characters of a token; a longer one is refused unread. */
    public static final int MOST_CHARACTERS = 8 << 10;

    private final String issuer;
    private final String audience;
    private final Set<Algorithm> algorithms;
    private final String tenantClaim;
    private final String rolesClaim;
    private final Set<String> serviceClients;
    private final boolean accessTokenType;
    private final Duration skew;

    private TokenRules(Builder from) {
        this.issuer = from.issuer;
        this.audience = from.audience;
        this.algorithms = Set.copyOf(from.algorithms);
        this.tenantClaim = from.tenantClaim;
        this.rolesClaim = from.rolesClaim;
        this.serviceClients = Set.copyOf(from.serviceClients);
        this.accessTokenType = from.accessTokenType;
        this.skew = requireNonNull(from.skew);
        if (issuer.isBlank() || audience.isBlank() || tenantClaim.isBlank() || rolesClaim.isBlank()) {
            throw new IllegalArgumentException("issuer, audience and the names of claims are not blank");
        }
        if (algorithms.isEmpty()) {
            throw new IllegalArgumentException("at least one algorithm is allowed, or no token can be");
        }
        if (skew.isNegative()) {
            throw new IllegalArgumentException("clocks differ by nothing or more, not by " + skew);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** That {@code iss} equals, character by character. */
    public String issuer() {
        return issuer;
    }

    /** That {@code aud} is, or has among its members. */
    public String audience() {
        return audience;
    }

    /** By which tokens may be signed. */
    public Set<Algorithm> algorithms() {
        return algorithms;
    }

    /** That names the tenant. */
    public String tenantClaim() {
        return tenantClaim;
    }

    /** That has the roles. */
    public String rolesClaim() {
        return rolesClaim;
    }

    /** Clients with which nobody logs in: theirs are a service's tokens. */
    public Set<String> serviceClients() {
        return serviceClients;
    }

    /** Whether a token has to say that it is an access token (RFC 9068, 2.1). */
    public boolean requiresAccessTokenType() {
        return accessTokenType;
    }

    /** By which the issuer's clock may differ from ours. */
    public Duration skew() {
        return skew;
    }

    /** Everything but issuer and audience is as usual unless it is named. */
    public static final class Builder {
        private String issuer = "";
        private String audience = "";
        private Set<Algorithm> algorithms = Algorithm.DEFAULT;
        private String tenantClaim = TENANT_CLAIM;
        private String rolesClaim = ROLES_CLAIM;
        private Set<String> serviceClients = Set.of();
        private boolean accessTokenType;
        private Duration skew = SKEW;

        private Builder() {}

        public Builder issuer(String name) {
            issuer = requireNonNull(name);
            return this;
        }

        public Builder audience(String name) {
            audience = requireNonNull(name);
            return this;
        }

        public Builder algorithms(Set<Algorithm> allowed) {
            algorithms = Set.copyOf(allowed);
            return this;
        }

        public Builder tenantClaim(String path) {
            tenantClaim = requireNonNull(path);
            return this;
        }

        public Builder rolesClaim(String path) {
            rolesClaim = requireNonNull(path);
            return this;
        }

        public Builder serviceClients(Set<String> clients) {
            serviceClients = Set.copyOf(clients);
            return this;
        }

        public Builder accessTokenType(boolean required) {
            accessTokenType = required;
            return this;
        }

        public Builder skew(Duration most) {
            skew = requireNonNull(most);
            return this;
        }

        /**
         * The rules.
         *
         * @throws IllegalArgumentException if issuer, audience, an algorithm or the name of a claim is missing
         */
        public TokenRules build() {
            return new TokenRules(this);
        }
    }
}
