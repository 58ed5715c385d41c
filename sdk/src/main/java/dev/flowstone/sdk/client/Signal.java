package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that executions wait for.
 *
 * @param payload JSON, or whatever Jackson makes JSON of
 * @param dedupe the sender's name of it: of two with the same one the second is dropped
 * @param broadcast whether all who wait now get it, and not the one who has waited longest
 * @param timeToLive how long it is kept if nobody waits; a week if left out, whole seconds
 */
public record Signal(
        String type,
        String key,
        @Nullable Object payload,
        Optional<String> dedupe,
        boolean broadcast,
        Optional<Duration> timeToLive) {
    public Signal {
        requireNonNull(type);
        requireNonNull(key);
        requireNonNull(dedupe);
        requireNonNull(timeToLive);
    }

    /** What became of one. */
    public enum Fate {
        /** Somebody waited for it. */
        DELIVERED,
        /** It waits for somebody. */
        KEPT,
        /** Nobody waited, and nobody will get it. */
        UNHEARD,
        /** One of the same {@code dedupe} came before. */
        DUPLICATE,
        /** This one was sent before, under the same idempotency key. */
        REPEATED,
        /** One that this release of the library doesn't know. */
        UNKNOWN
    }

    /** For the one who has waited longest for this type and key. */
    public static Signal of(String type, String key) {
        return new Signal(type, key, null, Optional.empty(), false, Optional.empty());
    }

    public Signal withPayload(Object value) {
        return new Signal(type, key, value, dedupe, broadcast, timeToLive);
    }

    public Signal withDedupe(String name) {
        return new Signal(type, key, payload, Optional.of(name), broadcast, timeToLive);
    }

    public Signal toAll() {
        return new Signal(type, key, payload, dedupe, true, timeToLive);
    }

    public Signal withTimeToLive(Duration time) {
        return new Signal(type, key, payload, dedupe, broadcast, Optional.of(time));
    }
}
