package dev.flowstone.server.rate;

import dev.flowstone.engine.time.Pace;
import dev.flowstone.server.config.RateConfig;
import dev.flowstone.server.http.Allowance;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One budget for each of many. Of the {@link #MOST} that were seen last it is known how much they have used; whoever is forgotten
 * begins with a full one. Thread-safe.
 */
final class Buckets {
    static final int MOST = 10_000;

    private final RateConfig.Rate rate;
    private final String whose;
    private final Pace pace;
    private final LongSupplier nanos;

    /** When the next call of each would be due, in the order in which they were seen. */
    private final Map<BudgetKey, Long> due = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<BudgetKey, Long> eldest) {
            return size() > MOST;
        }
    };

    /** @param whose each is, for people */
    Buckets(RateConfig.Rate rate, String whose, LongSupplier nanos) {
        long step = TimeUnit.MINUTES.toNanos(1) / rate.perMinute();
        this.rate = rate;
        this.whose = whose;
        this.pace = new Pace(step, step * rate.burst());
        this.nanos = nanos;
    }

    synchronized Allowance take(BudgetKey key) {
        long now = nanos.getAsLong();
        long next = pace.next(due.getOrDefault(key, now), now);
        long early = pace.early(next, now);
        long used = early > 0 ? next : next + pace.step();
        due.put(key, used);
        return new Allowance(
                whose,
                rate.burst(),
                Math.max(0, (pace.burst() - (used - now)) / pace.step()),
                rate.perMinute(),
                early > 0 ? Optional.of(Duration.ofNanos(early)) : Optional.empty());
    }

    /** As if one that was let in had never come. */
    synchronized void giveBack(BudgetKey key) {
        due.computeIfPresent(key, (_, next) -> next - pace.step());
    }

    synchronized int size() {
        return due.size();
    }
}
