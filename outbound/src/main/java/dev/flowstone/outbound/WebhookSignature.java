package dev.flowstone.outbound;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Signatures of webhooks in the form of Standard Webhooks 1.0: {@code webhook-id}, {@code webhook-timestamp} in seconds, and {@code
 * webhook-signature} with {@code v1,} and the HMAC-SHA256 of {@code id.timestamp.body} in Base64; one for each live secret, separated by
 * spaces, so that a secret can be replaced while both hold.
 *
 * <p>An id has no dot: with one, id, time and body could be cut apart elsewhere under the same signature.
 */
public final class WebhookSignature {
    public static final String ID = "webhook-id";
    public static final String TIMESTAMP = "webhook-timestamp";
    public static final String SIGNATURE = "webhook-signature";

    private static final String VERSION = "v1,";
    private static final Pattern ID_FORM = Pattern.compile("[A-Za-z0-9_:-]{1,128}");
    private static final Pattern TIMESTAMP_FORM = Pattern.compile("[0-9]{1,12}");

    /** More than anybody has secrets; what follows is not looked at. */
    private static final int MOST_SIGNATURES = 16;

    /** What is to be thought of a webhook that came in. */
    public enum Verdict {
        /** Signed with one of the secrets, within the time. */
        GENUINE,
        /** A header is missing or has another form. */
        MALFORMED,
        /** Too old, or from too far in the future: perhaps sent again by somebody who listened. */
        OUT_OF_TIME,
        /** Signed by none of the secrets, or changed on its way. */
        FORGED
    }

    private WebhookSignature() {}

    /**
     * The three headers that sign a body. A redirect takes them to no other host: what was signed was meant for the one.
     *
     * @param id the same for each attempt to deliver the same thing
     * @param at when this attempt is made
     * @param secrets at least one: each that is live
     */
    public static List<HttpHeader> sign(String id, Instant at, byte[] body, List<WebhookSecret> secrets) {
        if (!ID_FORM.matcher(id).matches()) {
            throw new IllegalArgumentException("a webhook's id has letters, digits, hyphens, underscores and colons");
        }
        if (secrets.isEmpty() || secrets.size() > MOST_SIGNATURES) {
            throw new IllegalArgumentException("a webhook is signed with 1 to " + MOST_SIGNATURES + " secrets");
        }
        String timestamp = Long.toString(at.getEpochSecond());
        byte[] head = head(id, timestamp);
        String signatures = secrets.stream()
                .map(secret -> VERSION + Base64.getEncoder().encodeToString(secret.hmac(head, body)))
                .collect(Collectors.joining(" "));
        return List.of(
                HttpHeader.secret(ID, id),
                HttpHeader.secret(TIMESTAMP, timestamp),
                HttpHeader.secret(SIGNATURE, signatures));
    }

    /**
     * Whether a webhook is genuine. Takes as long for a wrong signature as for a right one.
     *
     * @param headers as they came; of those three there is one each
     * @param tolerance how far its time may be from now, either way
     */
    public static Verdict verify(
            List<HttpHeader> headers, byte[] body, List<WebhookSecret> secrets, Instant now, Duration tolerance) {
        List<String> ids = values(headers, ID);
        List<String> timestamps = values(headers, TIMESTAMP);
        List<String> signatures = values(headers, SIGNATURE);
        if (ids.size() != 1 || timestamps.size() != 1 || signatures.size() != 1) {
            return Verdict.MALFORMED;
        }
        String id = ids.getFirst();
        String timestamp = timestamps.getFirst();
        List<byte[]> offered = decode(signatures.getFirst());
        if (!ID_FORM.matcher(id).matches() || !TIMESTAMP_FORM.matcher(timestamp).matches() || offered.isEmpty()) {
            return Verdict.MALFORMED;
        }
        if (!isSignedByOneOf(secrets, head(id, timestamp), body, offered)) {
            return Verdict.FORGED;
        }
        Duration away = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now)
                .abs();
        return away.compareTo(tolerance) > 0 ? Verdict.OUT_OF_TIME : Verdict.GENUINE;
    }

    /** Compares each with each, so that the time tells neither which secret fits nor how much of a signature does. */
    private static boolean isSignedByOneOf(
            List<WebhookSecret> secrets, byte[] head, byte[] body, List<byte[]> offered) {
        boolean signed = false;
        for (WebhookSecret secret : secrets) {
            byte[] expected = secret.hmac(head, body);
            for (byte[] signature : offered) {
                signed |= MessageDigest.isEqual(expected, signature);
            }
        }
        return signed;
    }

    /** Those of version 1; others are for other readers. */
    private static List<byte[]> decode(String header) {
        List<byte[]> signatures = new ArrayList<>();
        for (String part : header.split(" ", MOST_SIGNATURES + 1)) {
            if (part.startsWith(VERSION) && signatures.size() < MOST_SIGNATURES) {
                try {
                    signatures.add(Base64.getDecoder().decode(part.substring(VERSION.length())));
                } catch (IllegalArgumentException e) {
                    // One that can't be read is none; another one may be right.
                }
            }
        }
        return signatures;
    }

    private static List<String> values(List<HttpHeader> headers, String name) {
        return headers.stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(HttpHeader::value)
                .toList();
    }

    private static byte[] head(String id, String timestamp) {
        return (id + "." + timestamp + ".").getBytes(UTF_8);
    }
}
