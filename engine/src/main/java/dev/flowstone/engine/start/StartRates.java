package dev.flowstone.engine.start;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.time.Pace;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Holds each tenant to its starts a second: evenly paced, with bursts of up to a second's worth. Remembers only tenants that
 * started something lately. Thread-safe.
 */
public final class StartRates {
    private static final Duration BURST = Duration.ofSeconds(1);

    /** Tenants remembered before those are looked for that may be forgotten. */
    private static final int MANY = 1_000;

    private final Quotas quotas;

    /** When the next start of each tenant would be due, had those before it been spread evenly. */
    private final Map<TenantId, Long> due = new HashMap<>();

    private int forgetAt = MANY;

    public StartRates(Quotas quotas) {
        this.quotas = requireNonNull(quotas);
    }

    /**
     * Takes one start; empty if it may be made, else how long to wait. Whoever read the clock a little earlier may come later; and
     * a clock that was set back keeps a tenant out for no longer than it would have been.
     */
    public Optional<Duration> take(TenantId tenant, Instant at) {
        double rate = quotas.rate(tenant);
        return rate == 0 ? Optional.empty() : take(tenant, Pace.of(rate, BURST), Pace.nanos(at));
    }

    private synchronized Optional<Duration> take(TenantId tenant, Pace pace, long now) {
        long next = pace.next(due.getOrDefault(tenant, now), now);
        long early = pace.early(next, now);
        if (early > 0) {
            due.put(tenant, next);
            return Optional.of(Duration.ofNanos(early));
        }
        due.put(tenant, next + pace.step());
        if (due.size() > forgetAt) {
            due.values().removeIf(time -> time < now);
            forgetAt = Math.max(MANY, 2 * due.size());
        }
        return Optional.empty();
    }

    /** What was taken came to no start. */
    public void giveBack(TenantId tenant) {
        double rate = quotas.rate(tenant);
        if (rate != 0) {
            giveBack(tenant, Pace.of(rate, BURST).step());
        }
    }

    private synchronized void giveBack(TenantId tenant, long step) {
        due.computeIfPresent(tenant, (_, time) -> time - step);
    }

    /** How many tenants it remembers. */
    public synchronized int remembered() {
        return due.size();
    }
}
