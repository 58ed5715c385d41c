package dev.flowstone.postgres.schema;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * PostgreSQL's stored form of a password, SCRAM-SHA-256 (RFC 5802, RFC 7677), made here so that the password itself is
 * never in a statement: {@code SCRAM-SHA-256$iterations:salt$storedKey:serverKey}. For passwords in ASCII, as ours are.
 */
final class Scram {
    private static final int ITERATIONS = 4096;

    private Scram() {}

    static String verifier(String password) {
        byte[] salt = new byte[16];
        new SecureRandom().nextBytes(salt);
        return verifier(password, salt);
    }

    static String verifier(String password, byte[] salt) {
        try {
            byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(password.toCharArray(), salt, ITERATIONS, 256))
                    .getEncoded();
            byte[] storedKey = MessageDigest.getInstance("SHA-256").digest(hmac(salted, "Client Key"));
            Base64.Encoder base64 = Base64.getEncoder();
            return "SCRAM-SHA-256$" + ITERATIONS + ":" + base64.encodeToString(salt) + "$"
                    + base64.encodeToString(storedKey) + ":" + base64.encodeToString(hmac(salted, "Server Key"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA-256", e);
        }
    }

    private static byte[] hmac(byte[] key, String message) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(message.getBytes(StandardCharsets.UTF_8));
    }
}
