package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.BoundBeginning;
import dev.flowstone.kernel.event.ChildBeginning;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.event.NewerEntryException;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A run's events, decoded from the entries that the journal keeps. What it hands out was recomputed: an event whose bytes,
 * number or hash don't fit to the one before is never told, it ends the reading as {@link CorruptHistoryException}, and so does one
 * of a form that only a later release knows. That a
 * run is whole to its end is for {@link dev.flowstone.engine.verify.ChainVerifier} to say.
 */
public final class RunHistory {
    private static final int ENTRIES = 256;

    private final RunReader runs;

    public RunHistory(RunReader runs) {
        this.runs = requireNonNull(runs);
    }

    /** Events from a number on (counted from 1), in order, at most a page. What was decided behind them isn't looked at. */
    public List<Event> page(TenantId tenant, RunId run, long from, int limit) throws JournalException {
        List<Event> page = new ArrayList<>();
        Reading reading = begin(tenant, run, from, Math.max(1, from) + limit - 1);
        while (page.size() < limit) {
            // An entry holds at least one event, so more entries than missing events are never needed.
            int entries = Math.min(ENTRIES, limit - page.size());
            if (!reading.next(entries, event -> {
                if (event.sequence() >= from && page.size() < limit) {
                    page.add(event);
                }
            })) {
                break;
            }
        }
        return page;
    }

    /** How each of these runs began, read in one go; a run that isn't there, or whose beginning was tampered with, is left out. */
    public Map<RunId, Event> beginnings(TenantId tenant, Collection<RunId> of) throws JournalException {
        Map<RunId, Event> first = new HashMap<>();
        for (Map.Entry<RunId, StoredEntry> found : runs.beginnings(tenant, of).entrySet()) {
            beginning(tenant, found.getKey(), found.getValue()).ifPresent(event -> first.put(found.getKey(), event));
        }
        return first;
    }

    /** What each of these runs is about, as its first event says, which is not recomputed; a run about nothing is left out. */
    public Map<RunId, SubjectBinding> subjects(TenantId tenant, Collection<RunId> of) throws JournalException {
        Map<RunId, SubjectBinding> subjects = new HashMap<>();
        runs.endsOfFirst(tenant, of, BoundBeginning.ending(), BoundBeginning.BYTES)
                .forEach((run, last) -> BoundBeginning.subject(last).ifPresent(found -> subjects.put(run, found)));
        return subjects;
    }

    /** Whose child each of these runs is, as the header of its first decision says, which is not recomputed; others are left out. */
    public Map<RunId, RunId> parents(TenantId tenant, Collection<RunId> of) throws JournalException {
        Map<RunId, RunId> parents = new HashMap<>();
        runs.headersOfFirst(tenant, of, ChildBeginning.BYTES)
                .forEach((run, header) -> ChildBeginning.parent(header).ifPresent(parent -> parents.put(run, parent)));
        return parents;
    }

    private Optional<Event> beginning(TenantId tenant, RunId run, StoredEntry entry) {
        try {
            return Optional.of(
                    new Reading(tenant, run, 1, 0, Sha256.ZERO).decode(entry).getFirst());
        } catch (CorruptHistoryException e) {
            // One run whose history was changed makes no list of many unreadable; whoever reads that run is told.
            return Optional.empty();
        }
    }

    /** Whether there is such a run now; one that was archived isn't there any more. */
    public boolean isThere(TenantId tenant, RunId run) throws JournalException {
        return runs.run(tenant, run).isPresent();
    }

    /** Tells every event from a number on, as far as there are any now; answers the number that comes next. */
    public long replay(TenantId tenant, RunId run, long from, Consumer<Event> reader) throws JournalException {
        Reading reading = begin(tenant, run, from, Long.MAX_VALUE);
        boolean more = true;
        while (more) {
            more = reading.next(ENTRIES, event -> {
                if (event.sequence() >= from) {
                    reader.accept(event);
                }
            });
        }
        return Math.max(from, reading.sequence + 1);
    }

    /**
     * The same, until so many were told, and those that were decided together with the last of them; answers the number to
     * go on at, or nothing if those were all.
     */
    public OptionalLong replay(TenantId tenant, RunId run, long from, int most, Consumer<Event> reader)
            throws JournalException {
        Reading reading = begin(tenant, run, from, Long.MAX_VALUE);
        boolean more = true;
        while (more && reading.sequence + 1 - from < most) {
            // An entry holds at least one event, so more entries than missing events are never needed.
            int entries = (int) Math.min(ENTRIES, most - (reading.sequence + 1 - from));
            more = reading.next(entries, event -> {
                if (event.sequence() >= from) {
                    reader.accept(event);
                }
            });
        }
        return more ? OptionalLong.of(reading.sequence + 1) : OptionalLong.empty();
    }

    /** Finds the hash that the first entry to be read hangs on. */
    private Reading begin(TenantId tenant, RunId run, long from, long to) throws JournalException {
        if (from <= 1) {
            return new Reading(tenant, run, to, 0, Sha256.ZERO);
        }
        List<StoredEntry> found = runs.entries(tenant, run, from, 1);
        long first = found.isEmpty() ? from : found.getFirst().firstSequence();
        if (first <= 1) {
            return new Reading(tenant, run, to, 0, Sha256.ZERO);
        }
        List<StoredEntry> before = runs.entries(tenant, run, first - 1, 1);
        if (before.isEmpty() || before.getFirst().lastSequence() != first - 1) {
            return new Reading(tenant, run, to, first - 1, Sha256.ZERO);
        }
        return new Reading(tenant, run, to, first - 1, before.getFirst().hash());
    }

    /** A place in a run's chain, and the way on from there to an event that is wanted. */
    private final class Reading {
        private final TenantId tenant;
        private final RunId run;
        private final long to;
        private long sequence;
        private Sha256 hash;
        private boolean lastPageWasFull = true;

        Reading(TenantId tenant, RunId run, long to, long sequence, Sha256 hash) {
            this.tenant = tenant;
            this.run = run;
            this.to = to;
            this.sequence = sequence;
            this.hash = hash;
        }

        /** Reads at most so many entries; answers whether there may be more. */
        boolean next(int entries, Consumer<Event> reader) throws JournalException {
            if (!lastPageWasFull) {
                return false;
            }
            List<StoredEntry> page = runs.entries(tenant, run, sequence + 1, entries);
            for (StoredEntry entry : page) {
                if (sequence >= to) {
                    return false;
                }
                decode(entry).forEach(reader);
            }
            lastPageWasFull = page.size() == entries;
            return lastPageWasFull;
        }

        private List<Event> decode(StoredEntry entry) {
            if (entry.firstSequence() != sequence + 1) {
                throw corrupt(sequence + 1, "the event is missing");
            }
            try {
                List<Event> events = JournalEntry.decode(entry.bytes(), entry.firstSequence(), hash);
                Event last = events.getLast();
                if (last.sequence() != entry.lastSequence()) {
                    throw corrupt(last.sequence() + 1, "the entry ends before its last event");
                }
                checkHash(entry, last.hash());
                sequence = last.sequence();
                hash = last.hash();
                return events;
            } catch (NewerEntryException e) {
                checkHash(entry, e.hash());
                throw CorruptHistoryException.newer(
                        new RunKey(tenant, run), entry.firstSequence(), String.valueOf(e.getMessage()));
            } catch (CorruptEntryException e) {
                throw corrupt(entry.firstSequence(), String.valueOf(e.getMessage()));
            }
        }

        private void checkHash(StoredEntry entry, Sha256 found) {
            if (!found.equals(entry.hash())) {
                throw corrupt(
                        entry.firstSequence(),
                        "its bytes, or those of an event of the same decision, were changed: hash " + found
                                + " instead of " + entry.hash());
            }
        }

        private CorruptHistoryException corrupt(long at, String reason) {
            return new CorruptHistoryException(new RunKey(tenant, run), at, reason);
        }
    }
}
