package dev.flowstone.bench;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.engine.verify.EntrySource.Entry;
import dev.flowstone.engine.verify.EntrySource.Head;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.Sha256;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the journal holds of a window of time, by the events' own times: a figure that no counter in memory can flatter.
 *
 * @param steps {@code TaskCompleted} events
 * @param runs {@code RunCompleted} events
 * @param entries one for each decision
 * @param bytes of those entries
 */
record StoredCount(long steps, long runs, long entries, long bytes) {
    private static final int HEADS = 200;
    private static final int ENTRIES = 10_000;

    /** Reads every entry of the source once; its runs are short. */
    static StoredCount of(EntrySource source, Instant from, Instant to) throws JournalException {
        StoredCount sum = new StoredCount(0, 0, 0, 0);
        Optional<RunKey> after = Optional.empty();
        while (true) {
            List<RunKey> runs =
                    source.heads(after, HEADS).stream().map(Head::run).toList();
            if (runs.isEmpty()) {
                return sum;
            }
            List<Entry> entries = source.entries(runs, ENTRIES);
            if (entries.size() >= ENTRIES) {
                throw new IllegalStateException(HEADS + " runs of this workload have fewer entries than " + ENTRIES);
            }
            for (Entry entry : entries) {
                sum = sum.plus(entry.stored(), from, to);
            }
            after = Optional.of(runs.getLast());
        }
    }

    private StoredCount plus(StoredEntry entry, Instant from, Instant to) {
        List<Event> events = read(entry);
        Instant time = events.getFirst().header().eventTime();
        if (time.isBefore(from) || !time.isBefore(to)) {
            return this;
        }
        long moreSteps = 0;
        long moreRuns = 0;
        for (Event event : events) {
            moreSteps += event.body() instanceof EventBody.TaskCompleted ? 1 : 0;
            moreRuns += event.body() instanceof EventBody.RunCompleted ? 1 : 0;
        }
        return new StoredCount(steps + moreSteps, runs + moreRuns, entries + 1, bytes + entry.bytes().length);
    }

    /** Chains are the verifier's business, so any previous hash will do. */
    private static List<Event> read(StoredEntry entry) {
        try {
            return JournalEntry.decode(entry.bytes(), entry.firstSequence(), Sha256.ZERO);
        } catch (CorruptEntryException e) {
            throw new IllegalStateException("a stored entry can't be read: " + e.getMessage(), e);
        }
    }
}
