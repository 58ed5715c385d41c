package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.ownership.Member;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Nodes that have kept somebody waiting in vain lately: whoever comes next needn't wait for them as well. Thread-safe. */
final class SilentNodes {
    private static final Duration MEMORY = Duration.ofSeconds(5);

    private final LongSupplier nanos;

    /** When each was found so. */
    private final Map<String, Long> found = new ConcurrentHashMap<>();

    /** @param nanos a clock that only goes on, as {@link System#nanoTime} */
    SilentNodes(LongSupplier nanos) {
        this.nanos = requireNonNull(nanos);
    }

    void add(Member node) {
        found.put(node.name(), nanos.getAsLong());
    }

    boolean contains(Member node) {
        long now = nanos.getAsLong();
        found.values().removeIf(at -> now - at >= MEMORY.toNanos());
        return found.containsKey(node.name());
    }
}
