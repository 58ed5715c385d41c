package dev.flowstone.engine.archive;

import dev.flowstone.engine.archive.ArchiveLine.Closing;
import dev.flowstone.engine.archive.ArchiveLine.Entry;
import dev.flowstone.engine.archive.ArchiveLine.Item;
import dev.flowstone.engine.archive.ArchiveLine.Kind;
import dev.flowstone.engine.archive.ArchiveLine.Opening;
import dev.flowstone.engine.archive.ArchiveLine.Run;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.verify.Chain;
import dev.flowstone.engine.verify.ChainFault;
import dev.flowstone.engine.verify.EntrySource.Head;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive from its first line to its last and recomputes everything from it alone: every chain as the journal's own
 * verification does, the hash of every program and payload, that all that is referred to is there, counts, content and
 * anchor. Memory is bounded by the longest line.
 */
public final class ArchiveVerifier {
    private static final int HEADS = 500;

    private final Listener listener;
    private final Tally tally = new Tally();
    private final Recent recent = new Recent();
    private final List<Head> heads = new ArrayList<>();
    private @Nullable Opening opening;
    private @Nullable Run run;
    private @Nullable Chain chain;
    private @Nullable ArchiveTotals totals;
    private long runs;
    private long line;

    private ArchiveVerifier(Listener listener) {
        this.listener = listener;
    }

    /** Is told of the runs whose chains stand, in order, some at a time. */
    @FunctionalInterface
    public interface Listener {
        Listener NONE = heads -> {};

        void heads(List<Head> heads) throws JournalException, ArchiveRefusedException;
    }

    /** What is wrong with the line that is being read. */
    private static final class Broken extends Exception {
        private static final long serialVersionUID = 1L;

        Broken(String reason) {
            super(reason);
        }
    }

    /** Reads it up to the first fault. */
    public static ArchiveReport verify(InputStream file, Listener listener)
            throws IOException, JournalException, ArchiveRefusedException {
        return new ArchiveVerifier(listener).read(file);
    }

    private ArchiveReport read(InputStream file) throws IOException, JournalException, ArchiveRefusedException {
        try {
            LineInput lines = new LineInput(file);
            for (Optional<byte[]> next = lines.next(); next.isPresent(); next = lines.next()) {
                line++;
                add(next.get());
            }
            if (totals == null) {
                line++;
                throw new Broken("the file ends here, before its last line");
            }
            return report(Optional.empty());
        } catch (Broken e) {
            return report(Optional.of(new ArchiveFault(line, String.valueOf(e.getMessage()))));
        } catch (ZipException | EOFException e) {
            return report(
                    Optional.of(new ArchiveFault(line + 1, "the compressed bytes are damaged: " + e.getMessage())));
        }
    }

    private ArchiveReport report(Optional<ArchiveFault> fault) {
        Optional<Opening> first = Optional.ofNullable(opening);
        return new ArchiveReport(
                first.map(Opening::month),
                first.map(Opening::madeAt),
                runs,
                tally.events(),
                fault.isPresent() ? Optional.empty() : Optional.ofNullable(totals),
                fault);
    }

    private void add(byte[] bytes) throws Broken, JournalException, ArchiveRefusedException {
        if (totals != null) {
            throw new Broken("there is something behind the last line");
        }
        ArchiveLine read = parse(bytes);
        if ((opening == null) != (read instanceof Opening)) {
            throw new Broken(opening == null ? "this is no archive: its first line is another" : "a second first line");
        }
        boolean goesOn = read instanceof Entry || read instanceof Item;
        if (!goesOn) {
            endRun();
        }
        if (!(read instanceof Closing)) {
            tally.add(read, bytes);
        }
        switch (read) {
            case Opening first -> begin(first);
            case Item item -> item(item);
            case Run next -> begin(next);
            case Entry entry -> entry(entry);
            case Closing closing -> close(closing.totals());
        }
    }

    private static ArchiveLine parse(byte[] bytes) throws Broken {
        try {
            return LineCodec.read(JsonParser.parse(bytes, JsonLimits.STORED));
        } catch (JsonSyntaxException | RuntimeException e) {
            throw new Broken("it can't be read: " + e.getMessage());
        }
    }

    private void begin(Opening first) throws Broken {
        if (first.format() != ArchiveLine.FORMAT) {
            throw new Broken(
                    "format " + first.format() + " is another release's; this one reads format " + ArchiveLine.FORMAT);
        }
        opening = first;
    }

    private void item(Item item) throws Broken {
        if (item.content().isPresent() && !Sha256.digest(item.content().get()).equals(item.hash())) {
            throw new Broken("its content is not what its hash " + item.hash() + " says");
        }
        recent.add(item);
    }

    private void begin(Run next) throws Broken {
        YearMonth born = YearMonth.from(next.row().key().run().birth().atOffset(ZoneOffset.UTC));
        if (opening == null || !born.equals(opening.month())) {
            throw new Broken("run " + next.row().key().run() + " was born in " + born);
        }
        if (!next.row().status().isFinal() || next.row().endedAt().isEmpty()) {
            throw new Broken("run " + next.row().key().run() + " is not over");
        }
        demand(Kind.PROGRAM, next, next.row().program());
        run = next;
        chain = new Chain(next.head());
    }

    private void entry(Entry entry) throws Broken {
        if (run == null || chain == null) {
            throw new Broken("an entry without a run");
        }
        List<Event> events = chain.add(entry.stored());
        check(chain.fault());
        for (Sha256 hash : References.programs(events)) {
            demand(Kind.PROGRAM, run, hash);
        }
        for (Sha256 hash : References.payloads(entry.stored())) {
            demand(Kind.PAYLOAD, run, hash);
        }
    }

    private void demand(Kind kind, Run of, Sha256 hash) throws Broken {
        if (!recent.holds(kind, of.row().key().tenant(), hash)) {
            throw new Broken("run " + of.row().key().run() + " refers to " + hash + ", which does not stand before it");
        }
    }

    private void endRun() throws Broken, JournalException, ArchiveRefusedException {
        if (run == null || chain == null) {
            return;
        }
        check(chain.end());
        heads.add(run.head());
        runs++;
        run = null;
        chain = null;
        if (heads.size() >= HEADS) {
            tell();
        }
    }

    private void tell() throws JournalException, ArchiveRefusedException {
        listener.heads(List.copyOf(heads));
        heads.clear();
    }

    private void close(ArchiveTotals said) throws Broken, JournalException, ArchiveRefusedException {
        ArchiveTotals found = tally.end();
        if (!found.equals(said)) {
            throw new Broken("it says " + said + ", the file holds " + found);
        }
        totals = found;
        if (!heads.isEmpty()) {
            tell();
        }
    }

    private static void check(Optional<ChainFault> fault) throws Broken {
        if (fault.isPresent()) {
            throw new Broken(fault.get().toString());
        }
    }
}
