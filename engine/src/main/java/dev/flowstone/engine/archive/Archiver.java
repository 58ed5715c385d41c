package dev.flowstone.engine.archive;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.engine.workflow.WorkflowStore;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Archives months, beside whoever runs on the database. Nothing leaves the database before a whole file that holds it stands on
 * disk under its name and was read from there again; a crash anywhere leaves the month as it was, or archived.
 */
public final class Archiver {
    private static final System.Logger LOG = System.getLogger(Archiver.class.getName());
    private static final int RUNS = 200;
    private static final int BUFFER = 256 << 10;

    private final Archives archives;
    private final EntrySource entries;
    private final Journal journal;
    private final WorkflowStore programs;
    private final Clock clock;
    private final Disk disk;

    public Archiver(
            Archives archives, EntrySource entries, Journal journal, WorkflowStore programs, Clock clock, Disk disk) {
        this.archives = requireNonNull(archives);
        this.entries = requireNonNull(entries);
        this.journal = requireNonNull(journal);
        this.programs = requireNonNull(programs);
        this.clock = requireNonNull(clock);
        this.disk = requireNonNull(disk);
    }

    /** What would be archived; nothing is. */
    public Archives.Staged look(YearMonth month, Instant endedBefore) throws JournalException, ArchiveRefusedException {
        return archives.count(month, endedBefore);
    }

    /**
     * Archives the runs of a month that are over since before a time, and that nothing waits for or from.
     *
     * @param folder for the file; made if it is missing
     * @throws IOException if the file can't be written; the month is as it was
     */
    public ArchiveResult archive(YearMonth month, Instant endedBefore, Path folder, ArchiveStage.Listener progress)
            throws IOException, JournalException, ArchiveRefusedException {
        UUID attempt = UUID.randomUUID();
        // The file first: two that write it must not void each other's runs.
        try (PartFile part = PartFile.open(disk, folder, month)) {
            Archives.Staged found = archives.stage(month, endedBefore, attempt);
            if (found.runs() == 0) {
                return new ArchiveResult.Nothing(found, 0);
            }
            Instant madeAt = clock.now().truncatedTo(ChronoUnit.SECONDS);
            Written written = write(month, madeAt, attempt, found, part, progress);
            if (written.totals().runs() == 0) {
                part.empty();
                archives.forget(attempt);
                return new ArchiveResult.Nothing(found, written.attesting());
            }
            verify(part, attempt, written.totals(), progress);
            Path file = part.publish(names());
            ArchiveRecord record = replace(month, madeAt, attempt, written.totals(), part, file, progress);
            return new ArchiveResult.Archived(found, written.attesting(), file, record);
        }
    }

    /** What was archived keeps its name, wherever its file is by now. */
    private Set<String> names() throws JournalException {
        return archives.list().stream().map(ArchiveRecord::file).collect(Collectors.toUnmodifiableSet());
    }

    private record Written(ArchiveTotals totals, long attesting) {}

    private Written write(
            YearMonth month,
            Instant madeAt,
            UUID attempt,
            Archives.Staged found,
            PartFile part,
            ArchiveStage.Listener progress)
            throws IOException, JournalException, ArchiveRefusedException {
        OutputStream buffered = new BufferedOutputStream(part.output(), BUFFER);
        ArchiveWriter out = new ArchiveWriter(buffered);
        out.write(new ArchiveLine.Opening(ArchiveLine.FORMAT, month, madeAt, archives.schema()));
        RunExport export = new RunExport(entries, journal, programs, out);
        long attesting = 0;
        Optional<RunKey> after = Optional.empty();
        List<RunRow> page = archives.staged(attempt, after, RUNS);
        while (!page.isEmpty()) {
            for (RunKey left : export.write(page)) {
                archives.leaveOut(attempt, left);
                attesting++;
            }
            progress.at(ArchiveStage.WRITING, out.runs(), found.runs() - attesting);
            after = Optional.of(page.getLast().key());
            page = archives.staged(attempt, after, RUNS);
        }
        ArchiveTotals totals = out.end();
        buffered.flush();
        part.sync();
        return new Written(totals, attesting);
    }

    /** Reads the file, and asks the database whether each of its runs still stands where the file says. */
    private void verify(PartFile part, UUID attempt, ArchiveTotals written, ArchiveStage.Listener progress)
            throws IOException, JournalException, ArchiveRefusedException {
        long[] confirmed = {0};
        progress.at(ArchiveStage.VERIFYING, 0, written.runs());
        ArchiveReport report;
        try (InputStream file = part.input()) {
            report = ArchiveVerifier.verify(file, heads -> {
                if (archives.confirm(attempt, heads) != heads.size()) {
                    throw new ArchiveRefusedException(
                            "some of its runs have moved since the file was written, or another archive has begun");
                }
                confirmed[0] += heads.size();
                progress.at(ArchiveStage.VERIFYING, confirmed[0], written.runs());
            });
        }
        if (report.fault().isPresent()) {
            throw new ArchiveRefusedException("the file " + part.path() + " does not hold what was written to it, "
                    + report.fault().get());
        }
        if (!report.totals().equals(Optional.of(written))) {
            throw new ArchiveRefusedException("the file " + part.path() + " is whole, and another than was written");
        }
    }

    private ArchiveRecord replace(
            YearMonth month,
            Instant madeAt,
            UUID attempt,
            ArchiveTotals totals,
            PartFile part,
            Path file,
            ArchiveStage.Listener progress)
            throws JournalException, ArchiveRefusedException {
        progress.at(ArchiveStage.REPLACING, 0, totals.runs());
        ArchiveRecord record = new ArchiveRecord(
                month,
                1,
                file.getFileName().toString(),
                totals.runs(),
                totals.entries(),
                totals.events(),
                totals.anchor(),
                totals.content(),
                madeAt);
        ArchiveRecord made;
        try {
            made = record.numbered(archives.replace(attempt, record));
        } catch (ArchiveRefusedException e) {
            // Everything is still in the database: the file would only be mistaken for an archive of it.
            part.discard(file, e);
            throw e;
        } catch (JournalException e) {
            if (isUndone(e, record)) {
                part.discard(file, e);
            }
            throw e;
        }
        forget(attempt);
        return made;
    }

    /** Whether the database says that nothing has left it. Where that isn't known, the file may be all that there is. */
    private boolean isUndone(JournalException failure, ArchiveRecord record) {
        if (failure instanceof JournalException.UnknownOutcome) {
            return false;
        }
        try {
            return !names().contains(record.file());
        } catch (JournalException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    /** Tidies up after what is done; a failure is no failure of the archive, and the next one forgets everything. */
    private void forget(UUID attempt) {
        try {
            archives.forget(attempt);
        } catch (JournalException e) {
            LOG.log(Level.DEBUG, "the names of the runs that were archived stay until the next archive", e);
        }
    }
}
