package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.archive.ArchiveResult;
import dev.flowstone.engine.archive.ArchiveStage;
import dev.flowstone.engine.archive.Disk;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.postgres.RecordingDisk.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing leaves the database before the disk has a whole file for certain, whatever the disk does. */
final class ArchiveDiskTest extends ArchiveStories {
    private static final String FILE = "flowstone-" + OldRuns.MONTH + ".ndjson.gz";
    private static final String NEXT_FILE = "flowstone-" + OldRuns.MONTH + "-2.ndjson.gz";
    private static final Set<Step> NEEDED = EnumSet.complementOf(EnumSet.of(Step.DELETE));

    /** What an archive writes to the disk at once, at most. */
    private static final int PIECE = 256 << 10;

    /** What it holds of the journal at once, at most, and one entry. */
    private static final long HELD = 8L << 20;

    @TempDir
    private Path records = Path.of("");

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private ArchiveResult archive(Disk disk) throws Exception {
        return archiver(disk, opened().entrySource())
                .archive(OldRuns.MONTH, OldRuns.CUTOFF, folder, ArchiveStage.Listener.NONE);
    }

    private static RecordingDisk failing(Set<Step> steps) {
        return new RecordingDisk(step -> {
            if (steps.contains(step)) {
                throw new IOException(step + " fails");
            }
        });
    }

    @Test
    void theDatabaseDropsNothingBeforeFileAndNameAreForced() throws Exception {
        over(Moves.ACME);
        RecordingDisk disk = new RecordingDisk(step -> assertStaysWhole());

        assertInstanceOf(ArchiveResult.Archived.class, archive(disk));

        assertEquals(List.copyOf(NEEDED), disk.steps());
        assertAllChainsStand(0);
    }

    private void assertStaysWhole() {
        try {
            assertAllChainsStand(1);
            assertEquals(List.of(), opened().archives().list());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** As the virtual machine saw it, not as we say it. */
    @Test
    void foldersFileAndNameAreForcedByTheMachine() throws Exception {
        over(Moves.ACME);
        Path base = folder.toRealPath();
        Path upper = base.resolve("a");
        Path deep = upper.resolve("b");
        Path record = records.resolve("forced.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
            recording.start();
            archiver(Disk.own(), opened().entrySource())
                    .archive(OldRuns.MONTH, OldRuns.CUTOFF, deep, ArchiveStage.Listener.NONE);
            recording.stop();
            recording.dump(record);
        }

        List<Path> forced = RecordingFile.readAllEvents(record).stream()
                .map(event -> Path.of(event.getString("path")))
                .filter(path -> path.startsWith(base))
                .toList();
        assertEquals(List.of(base, upper, deep.resolve(FILE + ".part"), deep), forced);
    }

    @Test
    void aDiskThatFailsAtAnyStepCostsNothingAndTheNextAttemptSucceeds() throws Exception {
        for (Step step : NEEDED) {
            over(Moves.ACME);
            List<String> before = files();

            IOException failure = assertThrows(IOException.class, () -> archive(failing(Set.of(step))), step::name);

            assertEquals(step + " fails", failure.getMessage());
            assertAllChainsStand(1);
            List<String> left = new ArrayList<>(files());
            left.removeAll(before);
            left.remove(FILE + ".part");
            assertEquals(List.of(), left, "nothing has a name after " + step);
            assertTakesAll(archived());
        }
    }

    /** Not even the tidying up, of what nobody may take for an archive. */
    @Test
    void aNameThatCanNotBeRemovedEitherIsLeftAloneAndTheFirstFailureTold() throws Exception {
        over(Moves.ACME);

        IOException failure =
                assertThrows(IOException.class, () -> archive(failing(EnumSet.of(Step.RENAME, Step.DELETE))));

        assertEquals("RENAME fails", failure.getMessage());
        assertEquals("DELETE fails", failure.getSuppressed()[0].getMessage());
        assertAllChainsStand(1);
        assertEquals(0, Files.size(folder.resolve(FILE)));
        ArchiveResult.Archived next = archived();
        assertEquals(NEXT_FILE, next.record().file());
        assertTakesAll(next);
    }

    /** Another process would be let in by a lock on the file itself, which goes with the first one who has read it. */
    @Test
    void anotherProcessIsKeptOutAlsoOnceTheFileWasReadAgain() throws Exception {
        over(Moves.ACME);
        List<Integer> exits = new ArrayList<>();
        RecordingDisk disk = new RecordingDisk(step -> {
            if (step == Step.CLAIM || step == Step.SYNC) {
                exits.add(lockedBySomebodyElse());
            }
        });

        assertInstanceOf(ArchiveResult.Archived.class, archive(disk));

        assertEquals(List.of(LockProbe.TAKEN, LockProbe.TAKEN), exits);
        assertEquals(LockProbe.FREE, lockedBySomebodyElse());
    }

    private int lockedBySomebodyElse() throws IOException {
        Process probe = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockProbe.class.getName(),
                        folder.resolve("flowstone-" + OldRuns.MONTH + ".lock").toString())
                .inheritIO()
                .start();
        return probe.onExit().join().exitValue();
    }

    @Test
    void aProcessThatEndsAtAnyStepCostsNothingAndTheNextAttemptSucceeds() throws Exception {
        for (Step last : NEEDED) {
            over(Moves.ACME);
            AtomicBoolean dead = new AtomicBoolean();
            RecordingDisk disk = new RecordingDisk(step -> {
                if (step == last || dead.get()) {
                    dead.set(true);
                    throw new Killed();
                }
            });

            assertThrows(Killed.class, () -> archive(disk), last::name);

            assertAllChainsStand(1);
            assertTakesAll(archived());
        }
    }

    private void assertTakesAll(ArchiveResult.Archived archived) throws Exception {
        assertEquals(1, archived.record().runs());
        assertTrue(verify(Files.readAllBytes(archived.file())).whole());
        assertAllChainsStand(0);
    }

    @Test
    void whatIsHeldAndWrittenAtOnceIsBoundedHoweverLargeTheMonthIs() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 24; i++) {
            commit(OldRuns.over(
                    OldRuns.key(lease, Moves.ACME), new HumanEvent.AttestationGiven("a", noise(random, 1 << 20))));
        }
        byte[] payload = ("\"" + noise(random, 3 << 20) + "\"").getBytes(StandardCharsets.UTF_8);
        commit(OldRuns.withPayload(OldRuns.key(lease, Moves.ACME), payload));
        RecordingDisk disk = new RecordingDisk(step -> {});
        Pages pages = new Pages(opened().entrySource());

        ArchiveResult.Archived archived = assertInstanceOf(
                ArchiveResult.Archived.class,
                archiver(disk, pages).archive(OldRuns.MONTH, OldRuns.CUTOFF, folder, ArchiveStage.Listener.NONE));

        assertTrue(Files.size(archived.file()) > 2 * HELD, "more than may be held");
        assertTrue(disk.largestPiece() <= PIECE, "wrote " + disk.largestPiece());
        assertTrue(pages.largest <= HELD + pages.largestEntry, "held " + pages.largest);
    }

    private static String noise(Random random, int length) {
        byte[] bytes = new byte[length / 4 * 3];
        random.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Measures what is read of the journal at once. */
    private static final class Pages implements EntrySource {
        private final EntrySource source;
        private long largest;
        private long largestEntry;

        Pages(EntrySource source) {
            this.source = source;
        }

        private void measure(List<StoredEntry> page) {
            long bytes = 0;
            for (StoredEntry entry : page) {
                bytes += entry.bytes().length;
                largestEntry = Math.max(largestEntry, entry.bytes().length);
            }
            largest = Math.max(largest, bytes);
        }

        @Override
        public List<Head> heads(Optional<RunKey> after, int limit) throws JournalException {
            return source.heads(after, limit);
        }

        @Override
        public Optional<Head> head(RunKey run) throws JournalException {
            return source.head(run);
        }

        @Override
        public List<StoredEntry> entries(RunKey run, long afterSequence, int limit) throws JournalException {
            return entries(run, afterSequence, limit, Long.MAX_VALUE);
        }

        @Override
        public List<StoredEntry> entries(RunKey run, long afterSequence, int limit, long bytes)
                throws JournalException {
            List<StoredEntry> page = source.entries(run, afterSequence, limit, bytes);
            measure(page);
            return page;
        }

        @Override
        public List<Entry> entries(List<RunKey> runs, int limit, long bytes) throws JournalException {
            List<Entry> page = source.entries(runs, limit, bytes);
            measure(page.stream().map(Entry::stored).toList());
            return page;
        }
    }
}
