package dev.flowstone.security.token;

import java.math.BigInteger;
import java.security.interfaces.RSAPublicKey;
import java.util.BitSet;

/** RSA keys with which signatures prove nothing, or cost too much. */
final class WeakKeys {
    private static final int FEWEST_BITS = 2_048;
    private static final int MOST_BITS = 8_192;
    private static final int MOST_EXPONENT_BITS = 64;

    /**
     * Modulo each of these, the modulus of a key that a flawed generator made is a power of 65537 (CVE-2017-15361): "The Return of
     * Coppersmith's Attack", Nemec et al., CCS 2017, section 3.
     */
    private static final int[] PRIMES = {11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157};

    private static final int GENERATOR = 65_537;

    private WeakKeys() {}

    static void check(RSAPublicKey key) throws KeySetException {
        int bits = key.getModulus().bitLength();
        if (bits < FEWEST_BITS || bits > MOST_BITS) {
            throw new KeySetException("an RSA key has from " + FEWEST_BITS + " to " + MOST_BITS + " bits, not " + bits);
        }
        BigInteger exponent = key.getPublicExponent();
        if (exponent.compareTo(BigInteger.TWO) <= 0
                || !exponent.testBit(0)
                || exponent.bitLength() > MOST_EXPONENT_BITS) {
            throw new KeySetException("its public exponent is none that an RSA key may have");
        }
        if (isOfTheFlawedGenerator(key.getModulus())) {
            throw new KeySetException("it was made by a generator whose keys can be factored (CVE-2017-15361)");
        }
    }

    private static boolean isOfTheFlawedGenerator(BigInteger modulus) {
        for (int prime : PRIMES) {
            int rest = modulus.mod(BigInteger.valueOf(prime)).intValue();
            if (!powers(prime).get(rest)) {
                return false;
            }
        }
        return true;
    }

    private static BitSet powers(int prime) {
        BitSet powers = new BitSet(prime);
        for (int power = 1; !powers.get(power); power = power * (GENERATOR % prime) % prime) {
            powers.set(power);
        }
        return powers;
    }
}
