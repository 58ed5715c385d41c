package dev.flowstone.engine.verify;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.verify.EntrySource.Entry;
import dev.flowstone.engine.verify.EntrySource.Head;
import dev.flowstone.engine.verify.EntrySource.Headless;
import dev.flowstone.kernel.event.Event;
import java.util.List;
import java.util.Optional;

/**
 * Recomputes chains from the stored bytes alone and compares them with every stored hash and with the run's row. A changed
 * byte, a missing, repeated, moved or added entry and a row that points elsewhere are all found. Memory is bounded by a page.
 */
public final class ChainVerifier {
    private static final int HEADS = 500;
    private static final int ENTRIES = 2_000;

    /** Entries at a time, of which only the keys are read. */
    private static final int LOOKED_AT = 50_000;

    private final EntrySource source;

    public ChainVerifier(EntrySource source) {
        this.source = source;
    }

    /** One run; a fault at number 0 if there is none. A run that moves meanwhile is read again. */
    public ChainReport run(RunKey run) throws JournalException {
        Optional<Head> head = source.head(run);
        while (head.isPresent()) {
            ChainReport report = chain(head.get());
            Optional<Head> now = report.fault().isEmpty() ? head : source.head(run);
            if (now.equals(head)) {
                return report;
            }
            head = now;
        }
        return new ChainReport(0, 0, Optional.of(new ChainFault(run, 0, "there is no such run")));
    }

    private ChainReport chain(Head head) throws JournalException {
        Chain chain = new Chain(head);
        long after = 0;
        while (chain.fault().isEmpty()) {
            List<StoredEntry> page = source.entries(head.run(), after, ENTRIES);
            if (page.isEmpty()) {
                break;
            }
            for (StoredEntry entry : page) {
                List<Event> _ = chain.add(entry);
            }
            after = Math.max(after, page.getLast().firstSequence());
        }
        return new ChainReport(1, chain.events(), chain.end());
    }

    /** All runs of the source, up to the first fault. */
    public ChainReport all() throws JournalException {
        long runs = 0;
        long events = 0;
        Optional<RunKey> after = Optional.empty();
        while (true) {
            List<Head> heads = source.heads(after, HEADS);
            if (heads.isEmpty()) {
                return new ChainReport(runs, events, headless());
            }
            List<Head> whole = heads;
            while (!whole.isEmpty()) {
                Page page = page(whole);
                runs += page.report.runs();
                events += page.report.events();
                if (page.report.fault().isPresent()) {
                    return new ChainReport(runs, events, page.report.fault());
                }
                whole = page.rest;
            }
            after = Optional.of(heads.getLast().run());
        }
    }

    private record Page(ChainReport report, List<Head> rest) {}

    /** As many of the runs as one page of entries holds; a run that is longer than a page goes alone. */
    private Page page(List<Head> heads) throws JournalException {
        List<Entry> entries = source.entries(heads.stream().map(Head::run).toList(), ENTRIES);
        boolean cut = entries.size() >= ENTRIES;
        long events = 0;
        int next = 0;
        for (int i = 0; i < heads.size(); i++) {
            Head head = heads.get(i);
            Chain chain = new Chain(head);
            while (next < entries.size() && entries.get(next).run().equals(head.run())) {
                List<Event> _ = chain.add(entries.get(next).stored());
                next++;
            }
            if (cut && next == entries.size()) {
                return i > 0
                        ? new Page(new ChainReport(i, events, Optional.empty()), heads.subList(i, heads.size()))
                        : new Page(run(head.run()), heads.subList(1, heads.size()));
            }
            if (chain.end().isPresent()) {
                // It may have moved between the two queries; then it is whole when read alone.
                ChainReport alone = run(head.run());
                return new Page(
                        new ChainReport(i + 1L, events + alone.events(), alone.fault()),
                        heads.subList(i + 1, heads.size()));
            }
            events += chain.events();
        }
        return new Page(new ChainReport(heads.size(), events, Optional.empty()), List.of());
    }

    private Optional<ChainFault> headless() throws JournalException {
        Headless page = source.headless(Optional.empty(), LOOKED_AT);
        while (page.run().isEmpty() && page.last().isPresent()) {
            page = source.headless(page.last(), LOOKED_AT);
        }
        return page.run().map(run -> new ChainFault(run, 0, "there are entries of a run that has no row"));
    }
}
