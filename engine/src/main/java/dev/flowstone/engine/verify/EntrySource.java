package dev.flowstone.engine.verify;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Heads and entries in bounded pages, for the verifier. */
public interface EntrySource {
    /** A page of heads, each run at most once over all pages; an empty page is the end. */
    List<Head> heads(Optional<RunKey> after, int limit) throws JournalException;

    Optional<Head> head(RunKey run) throws JournalException;

    /** Entries of one run that begin after an event's number, in order, at most a page. */
    List<StoredEntry> entries(RunKey run, long afterSequence, int limit) throws JournalException;

    /**
     * Entries of several runs from their beginning, by run and number, in the order of the runs; fewer than all if there are
     * more than a page: then the last run's may be cut off. The default asks run by run.
     */
    default List<Entry> entries(List<RunKey> runs, int limit) throws JournalException {
        List<Entry> found = new ArrayList<>();
        for (RunKey run : runs) {
            if (found.size() >= limit) {
                return found;
            }
            for (StoredEntry entry : entries(run, 0, limit - found.size())) {
                found.add(new Entry(run, entry));
            }
        }
        return found;
    }

    /**
     * The same, and fewer as soon as those found have so many bytes: an entry may be large. At least one, if there is one.
     * The default reads them all.
     */
    default List<StoredEntry> entries(RunKey run, long afterSequence, int limit, long bytes) throws JournalException {
        return entries(run, afterSequence, limit);
    }

    /** Entries of several runs, as {@link #entries(List, int)}, and fewer as soon as those found have so many bytes. */
    default List<Entry> entries(List<RunKey> runs, int limit, long bytes) throws JournalException {
        return entries(runs, limit);
    }

    /** Looks through a page of entries for such as have no head; finds none where the source can't tell. */
    default Headless headless(Optional<EntryKey> after, int limit) throws JournalException {
        return new Headless(Optional.empty(), Optional.empty());
    }

    /** An entry's place in the order of all entries. */
    record EntryKey(RunId run, long firstSequence) {}

    /**
     * What a page was found to hold.
     *
     * @param run one that has entries and no head
     * @param last the page's last entry, after which the next page begins; empty at the end
     */
    record Headless(Optional<RunKey> run, Optional<EntryKey> last) {}

    /** What the run's row says that its chain ends in. */
    record Head(RunKey run, long lastSequence, Sha256 lastHash) {}

    /** An entry and whose it is. */
    record Entry(RunKey run, StoredEntry stored) {}

    /** One tenant's, through what every database offers. */
    static EntrySource of(RunReader reader, TenantId tenant) {
        return new EntrySource() {
            @Override
            public List<Head> heads(Optional<RunKey> after, int limit) throws JournalException {
                Optional<RunId> before = after.map(RunKey::run);
                return reader.runs(tenant, RunFilter.ALL, before, limit).stream()
                        .map(EntrySource::head)
                        .toList();
            }

            @Override
            public Optional<Head> head(RunKey run) throws JournalException {
                return reader.run(run.tenant(), run.run()).map(EntrySource::head);
            }

            @Override
            public List<StoredEntry> entries(RunKey run, long afterSequence, int limit) throws JournalException {
                // The reader also gives the entry that the number lies in.
                return reader.entries(run.tenant(), run.run(), afterSequence + 1, limit + 1).stream()
                        .filter(entry -> entry.firstSequence() > afterSequence)
                        .limit(limit)
                        .toList();
            }
        };
    }

    private static Head head(RunRow row) {
        return new Head(row.key(), row.lastSequence(), row.lastHash());
    }
}
