package dev.flowstone.bench.rig;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.engine.verify.EntrySource.Entry;
import dev.flowstone.engine.verify.EntrySource.Head;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Everything that the journal holds, read once: a figure made of it is one that no counter in memory can flatter. */
public final class StoredEvents {
    private static final int HEADS = 200;
    private static final int ENTRIES = 10_000;

    private StoredEvents() {}

    /** Is shown one decision after the other, run by run. */
    @FunctionalInterface
    public interface Visitor {
        void entry(RunKey run, StoredEntry entry, List<Event> events);
    }

    /** Shows every entry of the source. */
    public static void each(EntrySource source, Visitor visitor) throws JournalException {
        each(source, Optional.empty(), visitor);
    }

    /** Shows those of runs that were born at this time or later; aggregates, which have no birth, are left out. */
    public static void bornSince(EntrySource source, Instant birth, Visitor visitor) throws JournalException {
        each(source, Optional.of(new RunKey(Rig.TENANT, RunId.of(birth, new Slot(0), 0))), visitor);
    }

    private static void each(EntrySource source, Optional<RunKey> from, Visitor visitor) throws JournalException {
        Optional<RunKey> after = from;
        while (true) {
            List<RunKey> runs =
                    source.heads(after, HEADS).stream().map(Head::run).toList();
            if (runs.isEmpty()) {
                return;
            }
            List<Entry> entries = source.entries(runs, ENTRIES);
            if (entries.size() < ENTRIES) {
                for (Entry entry : entries) {
                    visitor.entry(entry.run(), entry.stored(), read(entry.stored()));
                }
            } else {
                for (RunKey run : runs) {
                    alone(source, run, visitor);
                }
            }
            after = Optional.of(runs.getLast());
        }
    }

    /** A run of any length, page by page. */
    private static void alone(EntrySource source, RunKey run, Visitor visitor) throws JournalException {
        List<StoredEntry> page = source.entries(run, 0, ENTRIES);
        while (!page.isEmpty()) {
            page.forEach(entry -> visitor.entry(run, entry, read(entry)));
            page = source.entries(run, page.getLast().lastSequence(), ENTRIES);
        }
    }

    /** Chains are the verifier's business, so any previous hash will do. */
    static List<Event> read(StoredEntry entry) {
        return read(entry.bytes(), entry.firstSequence());
    }

    static List<Event> read(byte[] bytes, long firstSequence) {
        try {
            return JournalEntry.decode(bytes, firstSequence, Sha256.ZERO);
        } catch (CorruptEntryException e) {
            throw new IllegalStateException("a stored entry can't be read: " + e.getMessage(), e);
        }
    }
}
