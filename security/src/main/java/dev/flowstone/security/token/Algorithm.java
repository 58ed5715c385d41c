package dev.flowstone.security.token;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** How a token may be signed: asymmetric ways only, so that whoever can check a token can't make one. */
public enum Algorithm {
    RS256("RS256", Family.RSA),
    RS384("RS384", Family.RSA),
    RS512("RS512", Family.RSA),
    PS256("PS256", Family.RSA),
    PS384("PS384", Family.RSA),
    PS512("PS512", Family.RSA),
    ES256("ES256", Family.P_256),
    ES384("ES384", Family.P_384),
    ES512("ES512", Family.P_521),
    /** With the curve Ed25519. */
    EDDSA("EdDSA", Family.ED25519);

    /** Those that are taken unless somebody says otherwise. */
    public static final Set<Algorithm> DEFAULT = Set.of(RS256, PS256, ES256, EDDSA);

    /** Kinds of keys. */
    enum Family {
        RSA,
        P_256,
        P_384,
        P_521,
        ED25519
    }

    /** The name of EdDSA with the one curve that there is here (RFC 9864). */
    private static final String ED25519 = "Ed25519";

    private final String name;
    private final Family family;

    Algorithm(String name, Family family) {
        this.name = name;
        this.family = family;
    }

    /** The one of that name, written exactly so; {@code Ed25519} is {@link #EDDSA}. */
    public static Optional<Algorithm> named(String name) {
        if (name.equals(ED25519)) {
            return Optional.of(EDDSA);
        }
        return Arrays.stream(values()).filter(one -> one.name.equals(name)).findFirst();
    }

    Family family() {
        return family;
    }

    /** As a token's header names it. */
    @Override
    public String toString() {
        return name;
    }
}
