package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.rig.StoredEvents;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;

/**
 * How late timers went off: when the commit was over in which a run took its timer, against the time that its stored
 * {@code TimerSet} event says. Each run here has one timer and is over when it has gone off.
 */
final class Drifts {
    private final Map<RunKey, Instant> over = new ConcurrentHashMap<>();
    private final Clock clock;

    Drifts(Clock clock) {
        this.clock = clock;
    }

    /** This run's timer went off, durably, just now. */
    void wentOff(RunKey run) {
        over.put(run, clock.now());
    }

    /**
     * Of the timers due in a window of time.
     *
     * @param drift in microseconds
     * @param firstDue of them
     * @param lastDue of them
     * @param lastOff when the last of them had gone off
     */
    record Found(Histogram drift, Instant firstDue, Instant lastDue, Instant lastOff) {
        long timers() {
            return drift.getTotalCount();
        }

        /** From the first that was due to the last that had gone off. */
        double seconds() {
            return Math.max(1e-3, Duration.between(firstDue, lastOff).toNanos() / 1e9);
        }
    }

    Found dueBetween(EntrySource source, Instant from, Instant to) throws JournalException {
        Sum sum = new Sum(from, to);
        StoredEvents.each(source, (run, entry, events) -> {
            Instant off = over.get(run);
            if (off != null) {
                events.forEach(event -> sum.add(event, off));
            }
        });
        return new Found(sum.drift, sum.firstDue, sum.lastDue, sum.lastOff);
    }

    private static final class Sum {
        private final Instant from;
        private final Instant to;
        private final Histogram drift = new Histogram(LoadMeter.LONGEST_MICROS, 3);
        private Instant firstDue = Instant.MAX;
        private Instant lastDue = Instant.MIN;
        private Instant lastOff = Instant.MIN;

        Sum(Instant from, Instant to) {
            this.from = from;
            this.to = to;
        }

        void add(Event event, Instant off) {
            if (event.body() instanceof EventBody.TimerSet set
                    && set.purpose() == EventBody.TimerPurpose.WAIT
                    && !set.dueAt().isBefore(from)
                    && set.dueAt().isBefore(to)) {
                drift.recordValue(
                        LoadMeter.micros(Duration.between(set.dueAt(), off).toNanos()));
                firstDue = set.dueAt().isBefore(firstDue) ? set.dueAt() : firstDue;
                lastDue = set.dueAt().isAfter(lastDue) ? set.dueAt() : lastDue;
                lastOff = off.isAfter(lastOff) ? off : lastOff;
            }
        }
    }
}
