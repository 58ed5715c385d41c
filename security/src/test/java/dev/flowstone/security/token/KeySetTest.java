package dev.flowstone.security.token;

import static dev.flowstone.testkit.token.Issuer.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.testkit.token.Issuer;
import java.math.BigInteger;
import java.util.Collections;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which keys of a set tokens may be signed with. */
final class KeySetTest {
    private static final Issuer ISSUER = new Issuer();

    private static String rsa(BigInteger modulus, String exponent) {
        return "{\"kty\":\"RSA\",\"kid\":\"weak\",\"n\":\"" + Issuer.unsigned(modulus, 0) + "\",\"e\":\"" + exponent
                + "\"}";
    }

    /** How many beside the good one are used. */
    private static int used(String key) throws KeySetException {
        return KeySet.parse(utf8(Issuer.set(key, Issuer.jwk(ISSUER.ec(), "")))).size() - 1;
    }

    @Test
    void keysForOtherPurposesArePassedOver() throws Exception {
        assertEquals(1, used(Issuer.jwk(ISSUER.rsa(), ",\"use\":\"sig\",\"x5c\":[\"no certificate\"]")));
        for (String more : new String[] {
            ",\"use\":\"enc\"",
            ",\"use\":7",
            ",\"key_ops\":[\"encrypt\"]",
            ",\"key_ops\":\"verify\"",
            ",\"alg\":\"RSA-OAEP\"",
            ",\"alg\":\"HS256\"",
            ",\"alg\":\"ES256\"",
            ",\"alg\":\"none\"",
            ",\"kid\":7"
        }) {
            assertEquals(0, used(Issuer.jwk(ISSUER.rsa(), more)), more);
        }
    }

    @Test
    void keysThatProveNothingArePassedOver() throws Exception {
        Random random = new Random(7);
        BigInteger odd = new BigInteger(2_048, random).setBit(2_047).setBit(0);
        assertEquals(1, used(rsa(odd, "AQAB")), "nobody factors it to see whether it is one");
        assertEquals(0, used(rsa(new BigInteger(1_024, random).setBit(1_023).setBit(0), "AQAB")));
        assertEquals(0, used(rsa(odd.setBit(16_384), "AQAB")));
        assertEquals(0, used(rsa(odd, "AQ")), "exponent 1");
        assertEquals(0, used(rsa(odd, "Ag")), "exponent 2");
        assertEquals(0, used(rsa(odd, "AQAA")), "even");
        assertEquals(0, used("{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":\"" + "A".repeat(86) + "\"}"));
        assertEquals(0, used("{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"" + "A".repeat(43) + "\"}"));
        assertEquals(0, used("{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAA\"}"));
        assertEquals(0, used("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AQ\",\"y\":\"AQ\"}"), "no point of the curve");
        assertEquals(0, used("{\"kty\":\"EC\",\"crv\":\"secp256k1\",\"x\":\"AQ\",\"y\":\"AQ\"}"));
        assertEquals(0, used("\"a text\""));
        assertEquals(0, used("{}"));
    }

    @Test
    void eachKeyServesOneKindOfAlgorithm() throws Exception {
        KeySet keys = KeySet.parse(utf8(ISSUER.jwks()));

        assertEquals(3, keys.size());
        assertEquals(1, keys.fitting(Optional.of("rsa"), Algorithm.PS512).size());
        assertEquals(0, keys.fitting(Optional.of("rsa"), Algorithm.ES256).size());
        assertEquals(0, keys.fitting(Optional.of("ec"), Algorithm.ES384).size());
        assertEquals(1, keys.fitting(Optional.empty(), Algorithm.EDDSA).size());
        assertEquals(0, keys.fitting(Optional.of("no"), Algorithm.EDDSA).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"keys\":{}}", "{\"keys\":[],\"keys\":[]}"})
    void whatHasNoListOfKeysIsNoSet(String json) {
        assertThrows(KeySetException.class, () -> KeySet.parse(utf8(json)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"keys\":[]}", "{\"keys\":[{}]}", "{\"keys\":[7],\"more\":1}"})
    void aSetMayHaveNoneThatCanBeUsed(String json) throws Exception {
        assertEquals(0, KeySet.parse(utf8(json)).size());
    }

    @Test
    void anAlgorithmMayHaveItsNewerName() throws Exception {
        KeySet keys = KeySet.parse(utf8(Issuer.set(Issuer.jwk(ISSUER.ed(), ",\"alg\":\"Ed25519\""))));

        assertEquals(1, keys.fitting(Optional.empty(), Algorithm.EDDSA).size());
    }

    @Test
    void setsAreBounded() throws Exception {
        String key = Issuer.jwk(ISSUER.ed(), "");
        assertEquals(
                100,
                KeySet.parse(utf8(Issuer.set(Collections.nCopies(100, key).toArray(String[]::new))))
                        .size());
        assertThrows(
                KeySetException.class,
                () -> KeySet.parse(utf8(Issuer.set(Collections.nCopies(101, key).toArray(String[]::new)))));
        assertThrows(KeySetException.class, () -> KeySet.parse(utf8(Issuer.set(key) + " ".repeat(KeySet.MOST_BYTES))));
    }
}
