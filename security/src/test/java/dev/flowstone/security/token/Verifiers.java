package dev.flowstone.security.token;

import dev.flowstone.testkit.token.Issuer;
import java.time.InstantSource;
import java.util.function.UnaryOperator;

/** Checks tokens of an issuer of the testkit's. */
final class Verifiers {
    private Verifiers() {}

    /** What is taken of it, everything else as usual. */
    static TokenRules.Builder rules() {
        return TokenRules.builder().issuer(Issuer.ISSUER).audience(Issuer.AUDIENCE);
    }

    static TokenVerifier of(Issuer issuer) {
        return of(issuer, UnaryOperator.identity());
    }

    static TokenVerifier of(Issuer issuer, UnaryOperator<TokenRules.Builder> other) {
        return new TokenVerifier(
                other.apply(rules()).build(),
                JwkSource.of(() -> Issuer.utf8(issuer.jwks())),
                InstantSource.fixed(Issuer.NOW));
    }
}
