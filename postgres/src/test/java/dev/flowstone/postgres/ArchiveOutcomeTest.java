package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.archive.ArchiveRecord;
import dev.flowstone.engine.archive.ArchiveRefusedException;
import dev.flowstone.engine.archive.ArchiveStage;
import dev.flowstone.engine.archive.Archiver;
import dev.flowstone.engine.archive.Archives;
import dev.flowstone.engine.archive.Disk;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.verify.EntrySource.Head;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A file stays where it may be all that is left of its runs, and goes where it would be mistaken for an archive. */
final class ArchiveOutcomeTest extends ArchiveStories {
    private static final String FILE = "flowstone-" + OldRuns.MONTH + ".ndjson.gz";

    /** The database's archives, whose last step ends otherwise. */
    private record Ending(Archives archives, boolean done, JournalException failure) implements Archives {
        @Override
        public Staged count(YearMonth month, Instant endedBefore) throws JournalException, ArchiveRefusedException {
            return archives.count(month, endedBefore);
        }

        @Override
        public Staged stage(YearMonth month, Instant endedBefore, UUID attempt)
                throws JournalException, ArchiveRefusedException {
            return archives.stage(month, endedBefore, attempt);
        }

        @Override
        public List<RunRow> staged(UUID attempt, Optional<RunKey> after, int limit) throws JournalException {
            return archives.staged(attempt, after, limit);
        }

        @Override
        public void leaveOut(UUID attempt, RunKey run) throws JournalException {
            archives.leaveOut(attempt, run);
        }

        @Override
        public long confirm(UUID attempt, List<Head> heads) throws JournalException {
            return archives.confirm(attempt, heads);
        }

        @Override
        public int replace(UUID attempt, ArchiveRecord record) throws JournalException, ArchiveRefusedException {
            if (done) {
                archives.replace(attempt, record);
            }
            throw failure;
        }

        @Override
        public void forget(UUID attempt) throws JournalException {
            archives.forget(attempt);
        }

        @Override
        public List<ArchiveRecord> list() throws JournalException {
            return archives.list();
        }

        @Override
        public int schema() {
            return archives.schema();
        }
    }

    private List<String> filesAfter(boolean done, JournalException failure) throws Exception {
        over(Moves.ACME);
        Ports ports = opened().ports();
        Archiver archiver = new Archiver(
                new Ending(opened().archives(), done, failure),
                opened().entrySource(),
                ports.journal(),
                ports.workflows(),
                ports.clock(),
                Disk.own());
        assertEquals(
                failure,
                assertThrows(
                        JournalException.class,
                        () -> archiver.archive(OldRuns.MONTH, OldRuns.CUTOFF, folder, ArchiveStage.Listener.NONE)));
        assertAllChainsStand(done ? 0 : 1);
        return files();
    }

    @Test
    void anUnknownOutcomeKeepsTheFileOfWhatHasLeft() throws Exception {
        assertEquals(List.of(FILE), filesAfter(true, new JournalException.UnknownOutcome("lost")));
    }

    @Test
    void anUnknownOutcomeKeepsTheFileThoughNothingHasLeft() throws Exception {
        assertEquals(List.of(FILE), filesAfter(false, new JournalException.UnknownOutcome("lost")));
    }

    @Test
    void aFailureThatChangedNothingTakesTheFileAlong() throws Exception {
        assertEquals(List.of(), filesAfter(false, new JournalException.Unavailable("lost")));
    }

    @Test
    void theDatabaseIsAskedBeforeAFileIsRemoved() throws Exception {
        assertEquals(List.of(FILE), filesAfter(true, new JournalException.Unavailable("lost afterwards")));
    }
}
