package dev.flowstone.outbound;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A secret that a sender and a receiver of webhooks share: {@code whsec_} and 24 to 64 bytes in Base64 (Standard Webhooks). */
public final class WebhookSecret {
    private static final String PREFIX = "whsec_";
    private static final int SHORTEST = 24;
    private static final int LONGEST = 64;
    private static final int USUAL = 32;

    private final byte[] key;

    private WebhookSecret(byte[] key) {
        if (key.length < SHORTEST || key.length > LONGEST) {
            throw new IllegalArgumentException(
                    "a webhook's secret has from 24 to 64 bytes, and this one " + key.length);
        }
        this.key = key;
    }

    /**
     * Reads one, with or without {@code whsec_}.
     *
     * @throws IllegalArgumentException if it is none; the message doesn't repeat it
     */
    public static WebhookSecret parse(String text) {
        String encoded = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text;
        return new WebhookSecret(decode(encoded)
                .orElseThrow(() -> new IllegalArgumentException("a webhook's secret is whsec_ and Base64")));
    }

    private static Optional<byte[]> decode(String encoded) {
        try {
            return Optional.of(Base64.getDecoder().decode(encoded));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** A new one. */
    public static WebhookSecret generate() {
        byte[] key = new byte[USUAL];
        new SecureRandom().nextBytes(key);
        return new WebhookSecret(key);
    }

    /** To be shown to the receiver, once. */
    public String text() {
        return PREFIX + Base64.getEncoder().encodeToString(key);
    }

    byte[] hmac(byte[] head, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(head);
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HmacSHA256", e);
        }
    }

    @Override
    public String toString() {
        return "WebhookSecret[hidden]";
    }
}
