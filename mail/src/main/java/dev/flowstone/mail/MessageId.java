package dev.flowstone.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flowstone.action.ActionContext;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * By which a message is known here and everywhere (RFC 5322 §3.6.4): the same for every attempt, and for everything that is sent under one
 * reference of a tenant.
 *
 * @param key by which the link is found that says that it was sent
 * @param value without its angle brackets
 */
record MessageId(String key, String value) {
    private static final int DIGITS = 40;

    static MessageId of(ActionContext context, Optional<String> reference, Address from) {
        String named = reference.map(it -> "reference\n" + it).orElse("attempt\n" + context.idempotencyKey());
        String token = digest(context.tenantId() + '\n' + named);
        return new MessageId(reference.orElse(token), token + '@' + from.domain());
    }

    /** As it stands in a header. */
    String header() {
        return '<' + value + '>';
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
