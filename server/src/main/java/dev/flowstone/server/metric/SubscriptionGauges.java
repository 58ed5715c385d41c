package dev.flowstone.server.metric;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.subscription.Subscription.State;
import dev.flowstone.engine.subscription.SubscriptionWork;
import dev.flowstone.engine.subscription.SubscriptionWork.Lag;
import dev.flowstone.engine.time.Clock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * How far subscriptions are behind, looked up when somebody scrapes and not more often than every few seconds. While the database can't
 * be asked the gauges are missing. Thread-safe.
 */
public final class SubscriptionGauges {
    private static final System.Logger LOG = System.getLogger(SubscriptionGauges.class.getName());
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final SubscriptionWork work;
    private final Clock clock;
    private Optional<List<Lag>> last = Optional.empty();
    private Instant readAt = Instant.EPOCH;

    private SubscriptionGauges(SubscriptionWork work, Clock clock) {
        this.work = work;
        this.clock = clock;
    }

    public static void addTo(Meters meters, SubscriptionWork work, Clock clock) {
        SubscriptionGauges gauges = new SubscriptionGauges(work, clock);
        meters.add(new Gauges("flowstone_subscriptions", "Subscriptions to events.", gauges::states, "state"));
        meters.add(new Gauges(
                "flowstone_events_out_lag_rows",
                "Rows of the feed that a subscription has yet to look at.",
                sink -> gauges.each(sink, Lag::rows),
                "tenant",
                "subscription"));
        meters.add(new Gauges(
                "flowstone_events_out_lag_seconds",
                "How old the first of them is.",
                sink -> gauges.each(sink, gauges::age),
                "tenant",
                "subscription"));
    }

    private void states(Gauges.Sink sink) {
        read().ifPresent(now -> {
            for (State state : State.values()) {
                sink.is(
                        (double)
                                now.stream().filter(lag -> lag.state() == state).count(),
                        state.name().toLowerCase(Locale.ROOT));
            }
        });
    }

    private void each(Gauges.Sink sink, ToDoubleFunction<Lag> value) {
        read().orElse(List.of())
                .forEach(lag -> sink.is(
                        value.applyAsDouble(lag),
                        lag.key().tenant().value(),
                        lag.key().name().value()));
    }

    private double age(Lag lag) {
        return lag.oldest()
                .map(since -> Math.max(0, Duration.between(since, clock.now()).toMillis() / 1_000.0))
                .orElse(0.0);
    }

    /** Those furthest behind, as many as a family shows at most. */
    private synchronized Optional<List<Lag>> read() {
        Instant now = clock.now();
        if (readAt.plus(FRESH).isAfter(now)) {
            return last;
        }
        readAt = now;
        try {
            last = Optional.of(work.lags(Optional.empty(), Meters.MOST));
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "how far subscriptions are behind can't be seen now: " + e.getMessage());
            last = Optional.empty();
        }
        return last;
    }
}
