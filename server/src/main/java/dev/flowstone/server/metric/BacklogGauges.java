package dev.flowstone.server.metric;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.Backlog;
import dev.flowstone.engine.read.BacklogReader;
import dev.flowstone.engine.time.Clock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What waits in the database, counted when somebody scrapes and not more often than every few seconds: without a scrape it
 * costs nothing. While the database can't be asked the gauges are missing, which an alert may watch for. Thread-safe.
 */
public final class BacklogGauges {
    private static final System.Logger LOG = System.getLogger(BacklogGauges.class.getName());
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final BacklogReader reader;
    private final Clock clock;
    private @Nullable Backlog last;
    private Instant readAt = Instant.EPOCH;

    private BacklogGauges(BacklogReader reader, Clock clock) {
        this.reader = reader;
        this.clock = clock;
    }

    public static void addTo(Meters meters, BacklogReader reader, Clock clock) {
        BacklogGauges gauges = new BacklogGauges(reader, clock);
        gauges.add(meters, "flowstone_outbox_pending", "Messages that have not left.", Backlog::outboxPending);
        gauges.add(
                meters, "flowstone_outbox_dead", "Messages that never will leave by themselves.", Backlog::outboxDead);
        gauges.age(
                meters, "flowstone_outbox_oldest_seconds", "How long the first has been due.", Backlog::outboxOldest);
        gauges.add(meters, "flowstone_inbox_waiting", "Messages that no run has taken.", Backlog::inboxWaiting);
        gauges.age(meters, "flowstone_inbox_oldest_seconds", "How long the first has waited.", Backlog::inboxOldest);
        gauges.add(
                meters, "flowstone_letters_waiting", "Letters that are not known to have arrived.", Backlog::letters);
        gauges.add(meters, "flowstone_timers_overdue", "Timers that should have fired.", Backlog::timersOverdue);
        gauges.add(meters, "flowstone_human_tasks_open", "Human tasks that wait.", Backlog::tasksOpen);
        gauges.add(
                meters,
                "flowstone_human_tasks_overdue",
                "Of them, those at which something was due.",
                Backlog::tasksOverdue);
        gauges.add(
                meters,
                "flowstone_trigger_ticks_open",
                "Ticks of schedules that are claimed, and have not started anything yet.",
                Backlog::ticksOpen);
    }

    private void add(Meters meters, String name, String help, ToDoubleFunction<Backlog> value) {
        meters.add(new Gauges(name, help, sink -> {
            Backlog now = read();
            if (now != null) {
                sink.is(value.applyAsDouble(now));
            }
        }));
    }

    private void age(Meters meters, String name, String help, Oldest value) {
        add(
                meters,
                name,
                help,
                backlog -> value.of(backlog)
                        .map(since ->
                                Math.max(0, Duration.between(since, clock.now()).toMillis() / 1_000.0))
                        .orElse(0.0));
    }

    /** Since when something waits. */
    @FunctionalInterface
    private interface Oldest {
        Optional<Instant> of(Backlog backlog);
    }

    private synchronized @Nullable Backlog read() {
        Instant now = clock.now();
        if (readAt.plus(FRESH).isAfter(now)) {
            return last;
        }
        readAt = now;
        try {
            last = reader.read(now);
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "what waits in the database can't be counted now: " + e.getMessage());
            last = null;
        }
        return last;
    }
}
