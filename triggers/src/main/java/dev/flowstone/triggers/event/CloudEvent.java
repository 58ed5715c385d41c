package dev.flowstone.triggers.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A CloudEvent 1.0 that somebody sent.
 *
 * @param json all of it in JSON's form, numbers exact: what the execution and the condition see as {@code trigger}
 */
public record CloudEvent(String id, String source, String type, Optional<String> subject, JsonObject json) {
    /** Those that tell an event from all others when they stand beside each other with an {@code @} between them. */
    private static final Pattern PLAIN_ID = Pattern.compile("[A-Za-z0-9_.:/-]+");

    private static final String DIGEST = "sha256:";

    private static final Pattern PLAIN_SOURCE = Pattern.compile("[!-~]+");

    public CloudEvent {
        requireNonNull(id);
        requireNonNull(source);
        requireNonNull(type);
        requireNonNull(subject);
        requireNonNull(json);
    }

    /** One that has its JSON form already. */
    public static CloudEvent of(JsonObject json) {
        return new CloudEvent(
                text(json, "id").orElseThrow(),
                text(json, "source").orElseThrow(),
                text(json, "type").orElseThrow(),
                text(json, "subject"),
                json);
    }

    private static Optional<String> text(JsonObject json, String name) {
        return json.get(name) instanceof JsonString(String text) ? Optional.of(text) : Optional.empty();
    }

    /**
     * What a trigger calls its arrival: of the same id and source the same, of others another. {@code ID@SOURCE} where that is short and
     * plain, a digest otherwise.
     */
    public String delivery() {
        String both = id + "@" + source;
        boolean plain = both.length() <= Arrival.LONGEST
                && PLAIN_ID.matcher(id).matches()
                && PLAIN_SOURCE.matcher(source).matches();
        return plain ? both : DIGEST + digest();
    }

    /** Whether an arrival is called as those are that somebody sent; the engine's own events are called RUN/SEQUENCE. */
    public static boolean isDelivery(String delivery) {
        return delivery.contains("@") || delivery.startsWith(DIGEST);
    }

    private Sha256 digest() {
        byte[] first = id.getBytes(StandardCharsets.UTF_8);
        byte[] second = source.getBytes(StandardCharsets.UTF_8);
        byte[] length = ByteBuffer.allocate(Integer.BYTES).putInt(first.length).array();
        return Sha256.digest(length, first, second);
    }
}
