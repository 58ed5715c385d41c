package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.archive.ArchiveRefusedException;
import dev.flowstone.engine.archive.ArchiveResult;
import dev.flowstone.engine.archive.ArchiveStage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.RunRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Archives that come to no good end, as something has happened between two of their steps: nothing is ever lost. */
@Timeout(120)
final class ArchiveRaceTest extends ArchiveStories {
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void aRunThatMovesBetweenFileAndDropStopsItAndNothingIsLost() throws Exception {
        RunKey moved = over(Moves.ACME);
        over(Moves.OTHER);

        ArchiveRefusedException refused = assertThrows(
                ArchiveRefusedException.class,
                () -> archive(at(ArchiveStage.REPLACING, () -> commit(OldRuns.next(row(moved))))));

        assertEquals("1 of its 2 runs have moved since the file was written", refused.getMessage());
        assertEquals(List.of(), files(), "a file that is no archive of this database is gone");
        assertAllChainsStand(2);
        assertEquals(7, row(moved).lastSequence());
        assertEquals(2, archived().record().runs(), "the next one takes it as it is now");
        assertAllChainsStand(0);
    }

    @Test
    void aRunThatMovesWhileTheFileIsReadIsFoundThere() throws Exception {
        RunKey moved = over(Moves.ACME);

        assertThrows(
                ArchiveRefusedException.class,
                () -> archive(at(ArchiveStage.VERIFYING, () -> commit(OldRuns.next(row(moved))))));

        assertAllChainsStand(1);
        assertEquals(List.of(), opened().archives().list());
    }

    @Test
    void whatComesForARunBetweenFileAndDropStopsIt() throws Exception {
        RunKey run = over(Moves.ACME);

        ArchiveRefusedException refused = assertThrows(
                ArchiveRefusedException.class,
                () -> archive(at(
                        ArchiveStage.REPLACING,
                        () -> admin("INSERT INTO flowstone.letters (slot, tenant, sender, number, receiver, content)"
                                + " VALUES (0, 'acme', gen_random_uuid(), 7, '" + run.run() + "', '{}')"))));

        assertEquals("something has come for 1 of its 1 runs since the file was written", refused.getMessage());
        assertAllChainsStand(1);
    }

    @Test
    void aTamperedFileIsRefusedBeforeTheDrop() throws Exception {
        over(Moves.ACME);
        Path part = folder.resolve("flowstone-" + OldRuns.MONTH + ".ndjson.gz.part");

        ArchiveRefusedException refused = assertThrows(
                ArchiveRefusedException.class,
                () -> archive(at(ArchiveStage.VERIFYING, () -> {
                    List<String> lines = lines(part);
                    lines.replaceAll(line -> line.replace("\"corr\":\"c\"", "\"corr\":\"d\""));
                    Files.write(part, compressed(lines));
                })));

        assertTrue(
                String.valueOf(refused.getMessage()).contains("does not hold what was written to it, line "),
                refused.getMessage());
        assertAllChainsStand(1);
        assertEquals(List.of(), opened().archives().list());
        assertEquals(1, archived().record().runs(), "the damaged part is written over");
    }

    @Test
    void aFileThatIsCutOffOrAnotherOneIsRefusedBeforeTheDrop() throws Exception {
        over(Moves.ACME);
        Path part = folder.resolve("flowstone-" + OldRuns.MONTH + ".ndjson.gz.part");

        assertThrows(
                ArchiveRefusedException.class,
                () -> archive(at(ArchiveStage.VERIFYING, () -> {
                    byte[] whole = Files.readAllBytes(part);
                    Files.write(part, Arrays.copyOf(whole, whole.length - 9));
                })));
        assertThrows(
                ArchiveRefusedException.class,
                () -> archive(at(ArchiveStage.VERIFYING, () -> Files.write(part, compressed(List.of())))));

        assertAllChainsStand(1);
    }

    @Test
    void aKilledArchiveIsRepeatedAndItsFileIsLeftAlone() throws Exception {
        over(Moves.ACME);
        RunKey living = living();
        for (ArchiveStage stage : ArchiveStage.values()) {
            assertThrows(
                    Killed.class,
                    () -> archive(at(stage, () -> {
                        throw new Killed();
                    })));
            assertAllChainsStand(2);
        }
        assertEquals(
                List.of("flowstone-" + OldRuns.MONTH + ".ndjson.gz"), files(), "of the one killed before the drop");
        byte[] left = Files.readAllBytes(folder.resolve(files().getFirst()));

        ArchiveResult.Archived result = archived();

        assertEquals(
                "flowstone-" + OldRuns.MONTH + "-2.ndjson.gz", result.record().file());
        assertTrue(
                Arrays.equals(left, Files.readAllBytes(folder.resolve("flowstone-" + OldRuns.MONTH + ".ndjson.gz"))));
        assertEquals(List.of(result.record()), opened().archives().list());
        assertTrue(isThere(living));
        assertAllChainsStand(1);
    }

    @Test
    void anotherArchiveThatBeginsMeanwhileVoidsThisOne() throws Exception {
        over(Moves.ACME);

        assertThrows(
                ArchiveRefusedException.class,
                () -> archive(at(
                        ArchiveStage.REPLACING,
                        () -> opened().archives().stage(OldRuns.MONTH, OldRuns.CUTOFF, UUID.randomUUID()))));

        assertAllChainsStand(1);
    }

    @Test
    void runsThatWereNotFoundInTheFileStopIt() throws Exception {
        over(Moves.ACME);
        over(Moves.OTHER);

        ArchiveRefusedException refused = assertThrows(
                ArchiveRefusedException.class,
                () -> archive(at(
                        ArchiveStage.REPLACING,
                        () -> admin("UPDATE flowstone.archiving SET confirmed = false WHERE tenant = 'acme'"))));

        assertEquals("only 1 of its 2 runs were found in the file", refused.getMessage());
        assertAllChainsStand(2);
    }

    @Test
    void twoCannotWriteOneFile() throws Exception {
        over(Moves.ACME);

        archive(at(
                ArchiveStage.WRITING,
                () -> assertThrows(ArchiveRefusedException.class, () -> archive(ArchiveStage.Listener.NONE))));
    }

    @Test
    void entriesThatBelongToNobodyAreNotDroppedUnseen() throws Exception {
        over(Moves.ACME);
        RunKey headless = over(Moves.ACME);
        admin("DELETE FROM flowstone.runs WHERE run_id = '" + headless.run() + "'");

        ArchiveRefusedException refused =
                assertThrows(ArchiveRefusedException.class, () -> archive(ArchiveStage.Listener.NONE));

        assertTrue(String.valueOf(refused.getMessage()).contains("flowstone verify"), refused.getMessage());
        assertEquals(6, number("SELECT count(*) FROM flowstone.entries"));
    }

    @Test
    void aBrokenChainIsNotArchived() throws Exception {
        RunKey broken = over(Moves.ACME);
        admin("UPDATE flowstone.runs SET last_seq = 7 WHERE run_id = '" + broken.run() + "'");

        assertThrows(ArchiveRefusedException.class, () -> archive(ArchiveStage.Listener.NONE));

        assertEquals(3, number("SELECT count(*) FROM flowstone.entries"));
    }

    @Test
    void whoeverStillRemembersARunThatHasLeftCanNotMoveIt() throws Exception {
        RunRow remembered = row(over(Moves.ACME));
        archived();

        assertEquals(
                Set.of(),
                journal().commit(Moves.commit(lease, OldRuns.next(remembered))).moved());
        assertEquals(0, number("SELECT count(*) FROM flowstone.entries"));
    }
}
