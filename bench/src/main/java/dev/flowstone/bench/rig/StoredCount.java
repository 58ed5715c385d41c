package dev.flowstone.bench.rig;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * What the journal holds of a window of time, by the events' own times.
 *
 * @param starts {@code RunStarted} events
 * @param steps {@code TaskCompleted} events
 * @param runs {@code RunCompleted} events
 * @param inputs {@code BufferedInputTaken} events
 * @param entries one for each decision
 * @param bytes of those entries
 */
public record StoredCount(long starts, long steps, long runs, long inputs, long entries, long bytes) {
    public static final StoredCount NOTHING = new StoredCount(0, 0, 0, 0, 0, 0);

    /** Of everything that the source holds. */
    public static StoredCount of(EntrySource source, Instant from, Instant to) throws JournalException {
        return of(source, within(from, to));
    }

    /** Of everything that the source holds, where several stretches of time count. */
    public static StoredCount of(EntrySource source, Predicate<Instant> times) throws JournalException {
        Counter counter = new Counter(times);
        StoredEvents.each(source, (run, entry, events) -> counter.add(entry, events));
        return counter.sum;
    }

    /** Of runs that were born since, where many older ones are known to have been idle. */
    public static StoredCount ofYounger(EntrySource source, Instant birth, Instant from, Instant to)
            throws JournalException {
        Counter counter = new Counter(within(from, to));
        StoredEvents.bornSince(source, birth, (run, entry, events) -> counter.add(entry, events));
        return counter.sum;
    }

    private static Predicate<Instant> within(Instant from, Instant to) {
        return time -> !time.isBefore(from) && time.isBefore(to);
    }

    /** Of an average entry. */
    public int entryBytes() {
        return (int) (bytes / Math.max(1, entries));
    }

    private StoredCount plus(StoredEntry entry, List<Event> events) {
        long moreStarts = 0;
        long moreSteps = 0;
        long moreRuns = 0;
        long moreInputs = 0;
        for (Event event : events) {
            moreStarts += event.body() instanceof EventBody.RunStarted ? 1 : 0;
            moreSteps += event.body() instanceof EventBody.TaskCompleted ? 1 : 0;
            moreRuns += event.body() instanceof EventBody.RunCompleted ? 1 : 0;
            moreInputs += event.body() instanceof ControlEvent.BufferedInputTaken ? 1 : 0;
        }
        return new StoredCount(
                starts + moreStarts,
                steps + moreSteps,
                runs + moreRuns,
                inputs + moreInputs,
                entries + 1,
                bytes + entry.bytes().length);
    }

    private static final class Counter {
        private final Predicate<Instant> times;
        private StoredCount sum = NOTHING;

        Counter(Predicate<Instant> times) {
            this.times = times;
        }

        void add(StoredEntry entry, List<Event> events) {
            if (times.test(events.getFirst().header().eventTime())) {
                sum = sum.plus(entry, events);
            }
        }
    }
}
