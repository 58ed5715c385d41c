package dev.flowstone.kernel.payload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Optional;

/**
 * A value on its way into an event: itself if it is small, its hash if it is large, and then its bytes, which must be
 * stored in the same commit.
 */
public record Carried(Payload payload, Optional<Content> content) {
    public Carried {
        requireNonNull(payload);
        requireNonNull(content);
    }

    /** One that stands in an event, or whose content is stored, already. */
    public static Carried asItIs(Payload payload) {
        return new Carried(payload, Optional.empty());
    }

    /**
     * Sets the value aside if it is longer than {@code inlineBytes}.
     *
     * @throws TooLargeException if it is longer than {@code maxBytes}
     */
    public static Carried of(JsonValue value, int inlineBytes, long maxBytes) throws TooLargeException {
        if (JsonSize.atMost(value, inlineBytes) <= inlineBytes) {
            return new Carried(Payload.of(value), Optional.empty());
        }
        byte[] bytes = CanonicalJson.exact(value);
        if (bytes.length <= inlineBytes) {
            return new Carried(Payload.of(value), Optional.empty());
        }
        if (bytes.length > maxBytes) {
            throw new TooLargeException(bytes.length, maxBytes);
        }
        Sha256 hash = Sha256.digest(bytes);
        return new Carried(new Payload.Stored(hash, bytes.length), Optional.of(new Content(hash, bytes)));
    }

    /** A value beyond the declared limit. */
    public static final class TooLargeException extends Exception {
        private static final long serialVersionUID = 1L;

        TooLargeException(long bytes, long maxBytes) {
            super("a value of " + bytes + " bytes; the limit is " + maxBytes);
        }
    }
}
