package dev.flowstone.engine.start;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Holds each tenant to its starts a second: evenly paced, with bursts of up to a second's worth. Remembers only tenants that
 * started something lately. Thread-safe.
 */
public final class StartRates {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

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
        return rate == 0 ? Optional.empty() : take(tenant, step(rate), nanos(at));
    }

    private synchronized Optional<Duration> take(TenantId tenant, long step, long now) {
        long latest = now + Math.max(SECOND, step);
        long next = Math.max(now, due.getOrDefault(tenant, now));
        if (next > latest + SECOND) {
            // No start is due later than one after a whole burst: the clock has been set back.
            next = latest;
        }
        // Slower than one a second is a burst of one.
        long early = next - now - Math.max(0, SECOND - step);
        if (early > 0) {
            due.put(tenant, next);
            return Optional.of(Duration.ofNanos(early));
        }
        due.put(tenant, next + step);
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
            giveBack(tenant, step(rate));
        }
    }

    private synchronized void giveBack(TenantId tenant, long step) {
        due.computeIfPresent(tenant, (_, time) -> time - step);
    }

    private static long step(double rate) {
        return Math.max(1, Math.round(SECOND / rate));
    }

    private static long nanos(Instant at) {
        return TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano();
    }

    /** How many tenants it remembers. */
    public synchronized int remembered() {
        return due.size();
    }
}
