package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Those that have kept somebody waiting in vain lately: whoever comes next needn't wait for them as well. Thread-safe.
 *
 * @param <T> what tells them apart
 */
final class Silent<T> {
    /** For which they are remembered. */
    static final Duration MEMORY = Duration.ofSeconds(5);

    private final LongSupplier nanos;

    /** When each was found so. */
    private final Map<T, Long> found = new ConcurrentHashMap<>();

    /** @param nanos a clock that only goes on, as {@link System#nanoTime} */
    Silent(LongSupplier nanos) {
        this.nanos = requireNonNull(nanos);
    }

    void add(T one) {
        found.put(one, nanos.getAsLong());
    }

    boolean contains(T one) {
        long now = nanos.getAsLong();
        found.values().removeIf(at -> now - at >= MEMORY.toNanos());
        return found.containsKey(one);
    }
}
