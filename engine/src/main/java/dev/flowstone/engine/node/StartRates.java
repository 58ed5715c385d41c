package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.start.Quotas;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Holds each tenant to its starts a second on this node: evenly paced, with bursts of up to a second's worth. Remembers only
 * tenants that started something lately. Thread-safe.
 */
final class StartRates {
    private static final long SECOND = 1_000_000_000L;

    /** Tenants remembered before those are looked for that may be forgotten. */
    private static final int MANY = 1_000;

    private final Quotas quotas;

    /** When the last admitted start of each tenant would have been due, had they been spread evenly. */
    private final Map<TenantId, Long> due = new HashMap<>();

    private int forgetAt = MANY;

    StartRates(Quotas quotas) {
        this.quotas = requireNonNull(quotas);
    }

    /**
     * Takes one start; empty if it may be made, else how long to wait. A clock that is set back refuses nobody for longer.
     */
    Optional<Duration> take(TenantId tenant, Instant at) {
        double rate = quotas.rate(tenant);
        long now = TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano();
        return rate == 0 ? Optional.empty() : take(tenant, rate, now);
    }

    private synchronized Optional<Duration> take(TenantId tenant, double rate, long now) {
        long step = Math.max(1, Math.round(SECOND / rate));
        long last = due.getOrDefault(tenant, now);
        boolean ahead = last > now && last - now <= Math.max(SECOND, step);
        long next = ahead ? last : now;
        // Slower than one a second is a burst of one.
        long early = next - now - Math.max(0, SECOND - step);
        if (early > 0) {
            return Optional.of(Duration.ofNanos(early));
        }
        due.put(tenant, next + step);
        if (due.size() > forgetAt) {
            due.values().removeIf(at -> at < now);
            forgetAt = Math.max(MANY, 2 * due.size());
        }
        return Optional.empty();
    }

    synchronized int remembered() {
        return due.size();
    }
}
