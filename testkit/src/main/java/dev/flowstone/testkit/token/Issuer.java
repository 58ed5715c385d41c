package dev.flowstone.testkit.token;

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
import java.util.Arrays;
import java.util.Base64;

/** Makes tokens, good ones and others, with keys of its own: one for RSA, one on P-256, one on Ed25519. */
public final class Issuer {
    /** When tokens are for that say nothing else. */
    public static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    public static final String ISSUER = "https://login.example/";
    public static final String AUDIENCE = "flowstone";

    private static final int COORDINATE_BYTES = 32;

    private final KeyPair rsa;
    private final KeyPair ec;
    private final KeyPair ed;

    public Issuer() {
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

    public PublicKey rsa() {
        return rsa.getPublic();
    }

    public PublicKey ec() {
        return ec.getPublic();
    }

    public PublicKey ed() {
        return ed.getPublic();
    }

    /** Signs bytes. */
    @FunctionalInterface
    public interface Signer {
        byte[] sign(byte[] bytes) throws GeneralSecurityException;
    }

    public static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    public static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    public static String unsigned(BigInteger value, int bytes) {
        byte[] all = value.toByteArray();
        byte[] fixed = new byte[Math.max(bytes, all.length - (all[0] == 0 ? 1 : 0))];
        int from = Math.max(0, all.length - fixed.length);
        System.arraycopy(all, from, fixed, fixed.length - (all.length - from), all.length - from);
        return base64(fixed);
    }

    public static String jwk(PublicKey key, String more) {
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

    /** A set of all three, named rsa, ec and ed. */
    public String jwks() {
        return set(
                jwk(rsa.getPublic(), ",\"kid\":\"rsa\",\"use\":\"sig\""),
                jwk(ec.getPublic(), ",\"kid\":\"ec\",\"alg\":\"ES256\""),
                jwk(ed.getPublic(), ",\"kid\":\"ed\",\"key_ops\":[\"verify\"]"));
    }

    public static String set(String... keys) {
        return "{\"keys\":[" + String.join(",", keys) + "]}";
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public byte[] rs256(byte[] bytes) throws GeneralSecurityException {
        return sign("SHA256withRSA", rsa.getPrivate(), bytes);
    }

    public byte[] ps256(byte[] bytes) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("RSASSA-PSS");
        signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
        signature.initSign(rsa.getPrivate());
        signature.update(bytes);
        return signature.sign();
    }

    public byte[] es256(byte[] bytes) throws GeneralSecurityException {
        return sign("SHA256withECDSAinP1363Format", ec.getPrivate(), bytes);
    }

    /** In the form of certificates, which tokens don't have. */
    public byte[] es256InDer(byte[] bytes) throws GeneralSecurityException {
        return sign("SHA256withECDSA", ec.getPrivate(), bytes);
    }

    public byte[] eddsa(byte[] bytes) throws GeneralSecurityException {
        return sign("Ed25519", ed.getPrivate(), bytes);
    }

    private static byte[] sign(String how, PrivateKey key, byte[] bytes) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(how);
        signature.initSign(key);
        signature.update(bytes);
        return signature.sign();
    }

    public static String token(String header, String claims, Signer signer) {
        String signed = base64(header) + "." + base64(claims);
        try {
            return signed + "." + base64(signer.sign(signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One that is signed as usual, with these claims. */
    public String token(String claims) {
        return token("{\"alg\":\"RS256\",\"kid\":\"rsa\"}", claims, this::rs256);
    }

    /** What a good token says, and more, which begins with a comma. */
    public static String claims(String more) {
        return claims(NOW, more);
    }

    /** The same of one that is for five minutes from then on. */
    public static String claims(Instant now, String more) {
        return "{\"iss\":\"" + ISSUER + "\",\"aud\":\"" + AUDIENCE + "\",\"sub\":\"U1\",\"tenant_id\":\"acme\",\"exp\":"
                + (now.getEpochSecond() + 300) + more + "}";
    }

    public static String claims() {
        return claims("");
    }
}
