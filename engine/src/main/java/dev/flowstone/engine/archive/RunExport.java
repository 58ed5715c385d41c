package dev.flowstone.engine.archive;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.verify.Chain;
import dev.flowstone.engine.verify.ChainFault;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.engine.verify.EntrySource.Head;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.TenantId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes runs with all that they refer to. A run whose chain doesn't stand is refused: it is not to be dropped unseen. */
final class RunExport {
    private static final int ENTRIES = 1_000;

    /** Of a page, and one entry more. */
    private static final long BYTES = 8L << 20;

    private final EntrySource source;
    private final ArchiveWriter out;
    private final ReferredItems items;

    RunExport(EntrySource source, Journal journal, WorkflowStore programs, ArchiveWriter out) {
        this.source = requireNonNull(source);
        this.out = requireNonNull(out);
        this.items = new ReferredItems(
                programs::program,
                (tenant, hash) -> Optional.ofNullable(
                        journal.payloads(tenant, List.of(hash)).get(hash)),
                new Recent(),
                out::write);
    }

    /** Does something with each entry of a run. */
    @FunctionalInterface
    private interface EntryReader {
        void entry(StoredEntry entry, List<Event> events) throws IOException, JournalException;
    }

    /** Writes a page of runs; answers those that it left out, because people have yet to attest something. */
    List<RunKey> write(List<RunRow> rows) throws IOException, JournalException, ArchiveRefusedException {
        Map<RunKey, List<StoredEntry>> read = read(rows);
        List<RunKey> left = new ArrayList<>();
        for (RunRow row : rows) {
            Optional<List<StoredEntry>> known = Optional.ofNullable(read.get(row.key()));
            if (isAttested(row, known)) {
                write(row, known);
            } else {
                left.add(row.key());
            }
        }
        return left;
    }

    /** The entries of as many runs as a page holds; a run that may have been cut off is left out. */
    private Map<RunKey, List<StoredEntry>> read(List<RunRow> rows) throws JournalException {
        List<EntrySource.Entry> page =
                source.entries(rows.stream().map(RunRow::key).toList(), ENTRIES, BYTES);
        Map<RunKey, List<StoredEntry>> read = new HashMap<>();
        for (EntrySource.Entry entry : page) {
            read.computeIfAbsent(entry.run(), absent -> new ArrayList<>()).add(entry.stored());
        }
        long bytes =
                page.stream().mapToLong(entry -> entry.stored().bytes().length).sum();
        if (page.size() >= ENTRIES || bytes >= BYTES) {
            read.remove(page.getLast().run());
        }
        return read;
    }

    private boolean isAttested(RunRow row, Optional<List<StoredEntry>> known)
            throws IOException, JournalException, ArchiveRefusedException {
        Set<String> open = new HashSet<>();
        each(row, known, (entry, events) -> {
            for (Event event : events) {
                if (event.body() instanceof HumanEvent.AttestationRequested requested) {
                    open.add(requested.id());
                } else if (event.body() instanceof HumanEvent.AttestationGiven given) {
                    open.remove(given.id());
                }
            }
        });
        return open.isEmpty();
    }

    private void write(RunRow row, Optional<List<StoredEntry>> known)
            throws IOException, JournalException, ArchiveRefusedException {
        TenantId tenant = row.key().tenant();
        items.ensure(tenant, Set.of(row.program()), Set.of());
        out.write(new ArchiveLine.Run(row));
        each(row, known, (entry, events) -> {
            items.ensure(tenant, References.programs(events), References.payloads(entry));
            out.write(new ArchiveLine.Entry(entry));
        });
    }

    /** From its first entry to its last, as the journal's own verification reads it. */
    private void each(RunRow row, Optional<List<StoredEntry>> known, EntryReader reader)
            throws IOException, JournalException, ArchiveRefusedException {
        Chain chain = new Chain(new Head(row.key(), row.lastSequence(), row.lastHash()));
        if (known.isPresent()) {
            add(chain, known.get(), reader);
        } else {
            List<StoredEntry> page = source.entries(row.key(), 0, ENTRIES, BYTES);
            while (!page.isEmpty() && chain.fault().isEmpty()) {
                add(chain, page, reader);
                page = source.entries(row.key(), page.getLast().firstSequence(), ENTRIES, BYTES);
            }
        }
        Optional<ChainFault> fault = chain.end();
        if (fault.isPresent()) {
            throw new ArchiveRefusedException(
                    "a chain is broken, or its run has just moved; `flowstone verify` looks at all: " + fault.get());
        }
    }

    private static void add(Chain chain, List<StoredEntry> page, EntryReader reader)
            throws IOException, JournalException {
        for (StoredEntry entry : page) {
            List<Event> events = chain.add(entry);
            if (!events.isEmpty()) {
                reader.entry(entry, events);
            }
        }
    }
}
