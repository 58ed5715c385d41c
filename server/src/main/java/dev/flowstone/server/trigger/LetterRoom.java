package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Whether a tenant has room for another letter of a source that waits. How many wait is read once a second at most, and counted in
 * between, so that it is exceeded by what other nodes keep in a second. Thread-safe.
 */
final class LetterRoom {
    /** A tenant's, of one source. */
    static final int MOST = 10_000;

    private static final Duration FRESH = Duration.ofSeconds(1);

    private final DeadLetterStore store;
    private final DeadSource source;
    private final int most;
    private final LongSupplier nanos;
    private final Map<TenantId, Reading> readings = new ConcurrentHashMap<>();

    /** @param nanos a clock that only goes on, as {@link System#nanoTime} */
    LetterRoom(DeadLetterStore store, DeadSource source, int most, LongSupplier nanos) {
        this.store = requireNonNull(store);
        this.source = requireNonNull(source);
        this.most = most;
        this.nanos = requireNonNull(nanos);
    }

    private record Reading(long at, int waiting) {}

    boolean isFull(TenantId tenant) throws JournalException {
        long now = nanos.getAsLong();
        readings.values().removeIf(it -> now - it.at() >= FRESH.toNanos());
        Reading known = readings.get(tenant);
        if (known == null) {
            known = new Reading(now, store.waiting(tenant, source, most));
            readings.put(tenant, known);
        }
        return known.waiting() >= most;
    }

    /** One more waits. */
    void add(TenantId tenant) {
        readings.computeIfPresent(tenant, (_, it) -> new Reading(it.at(), it.waiting() + 1));
    }
}
