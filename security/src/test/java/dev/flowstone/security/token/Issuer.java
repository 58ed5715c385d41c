package dev.flowstone.security.token;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.UnaryOperator;

/** Makes tokens, good ones and others, with keys of its own. */
final class Issuer {
    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    static final String ISSUER = "https://login.example/";
    static final String AUDIENCE = "flowstone";

    private static final int COORDINATE_BYTES = 32;

    final KeyPair rsa;
    final KeyPair ec;
    final KeyPair ed;

    Issuer() {
        try {
            rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair();
            KeyPairGenerator curve = KeyPairGenerator.getInstance("EC");
            curve.initialize(new ECGenParameterSpec("secp256r1"));
            ec = curve.generateKeyPair();
            ed = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Signs bytes. */
    interface Signer {
        byte[] sign(byte[] bytes) throws GeneralSecurityException;
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    static String unsigned(BigInteger value, int bytes) {
        byte[] all = value.toByteArray();
        byte[] fixed = new byte[Math.max(bytes, all.length - (all[0] == 0 ? 1 : 0))];
        int from = Math.max(0, all.length - fixed.length);
        System.arraycopy(all, from, fixed, fixed.length - (all.length - from), all.length - from);
        return base64(fixed);
    }

    static String jwk(PublicKey key, String more) {
        return switch (key) {
            case RSAPublicKey it ->
                "{\"kty\":\"RSA\",\"n\":\"" + unsigned(it.getModulus(), 0) + "\",\"e\":\""
                        + unsigned(it.getPublicExponent(), 0) + "\"" + more + "}";
            case ECPublicKey it ->
                "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\""
                        + unsigned(it.getW().getAffineX(), COORDINATE_BYTES) + "\",\"y\":\""
                        + unsigned(it.getW().getAffineY(), COORDINATE_BYTES) + "\"" + more + "}";
            case EdECPublicKey it -> {
                byte[] encoded = it.getEncoded();
                byte[] x = Arrays.copyOfRange(encoded, encoded.length - COORDINATE_BYTES, encoded.length);
                yield "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"" + base64(x) + "\"" + more + "}";
            }
            default -> throw new IllegalArgumentException(key.getAlgorithm());
        };
    }

    /** All three, named rsa, ec and ed. */
    String jwks() {
        return set(
                jwk(rsa.getPublic(), ",\"kid\":\"rsa\",\"use\":\"sig\""),
                jwk(ec.getPublic(), ",\"kid\":\"ec\",\"alg\":\"ES256\""),
                jwk(ed.getPublic(), ",\"kid\":\"ed\",\"key_ops\":[\"verify\"]"));
    }

    static String set(String... keys) {
        return "{\"keys\":[" + String.join(",", keys) + "]}";
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    TokenVerifier verifier() {
        return verifier(UnaryOperator.identity());
    }

    /** What is taken of it, everything else as usual. */
    static TokenRules.Builder rules() {
        return TokenRules.builder().issuer(ISSUER).audience(AUDIENCE);
    }

    TokenVerifier verifier(UnaryOperator<TokenRules.Builder> other) {
        return new TokenVerifier(
                other.apply(rules()).build(), JwkSource.of(() -> utf8(jwks())), InstantSource.fixed(NOW));
    }

    byte[] rs256(byte[] bytes) throws GeneralSecurityException {
        return sign("SHA256withRSA", rsa.getPrivate(), bytes);
    }

    byte[] ps256(byte[] bytes) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("RSASSA-PSS");
        signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
        signature.initSign(rsa.getPrivate());
        signature.update(bytes);
        return signature.sign();
    }

    byte[] es256(byte[] bytes) throws GeneralSecurityException {
        return sign("SHA256withECDSAinP1363Format", ec.getPrivate(), bytes);
    }

    byte[] eddsa(byte[] bytes) throws GeneralSecurityException {
        return sign("Ed25519", ed.getPrivate(), bytes);
    }

    private static byte[] sign(String how, PrivateKey key, byte[] bytes) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(how);
        signature.initSign(key);
        signature.update(bytes);
        return signature.sign();
    }

    static String token(String header, String claims, Signer signer) {
        String signed = base64(header) + "." + base64(claims);
        try {
            return signed + "." + base64(signer.sign(signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One that is signed as usual, with these claims. */
    String token(String claims) {
        return token("{\"alg\":\"RS256\",\"kid\":\"rsa\"}", claims, this::rs256);
    }

    /** What a good token says, and more. */
    static String claims(String more) {
        return "{\"iss\":\"" + ISSUER + "\",\"aud\":\"" + AUDIENCE + "\",\"sub\":\"U1\",\"tenant_id\":\"acme\",\"exp\":"
                + (NOW.getEpochSecond() + 300) + more + "}";
    }

    static String claims() {
        return claims("");
    }
}
