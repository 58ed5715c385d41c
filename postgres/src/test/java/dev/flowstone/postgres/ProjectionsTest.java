package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException.StaleEpoch;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.mend.Correction;
import dev.flowstone.engine.mend.Difference;
import dev.flowstone.engine.mend.Differences;
import dev.flowstone.engine.mend.Projection;
import dev.flowstone.engine.mend.Projections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A run's rows are put right as one, by who holds its shard, and only as long as it has not moved. */
final class ProjectionsTest extends PostgresTest {
    private Projections projections() {
        return opened().ports().projections();
    }

    private Projection read(RunKey run) throws Exception {
        return projections().read(run).orElseThrow();
    }

    private RunKey stored(Lease lease) throws Exception {
        RunKey run = Moves.run(lease);
        journal().commit(Moves.commit(lease, Moves.full(run, 0)));
        return run;
    }

    private void spoil() throws Exception {
        admin(
                "UPDATE flowstone.runs SET awake = false",
                "UPDATE flowstone.timers SET due_at = due_at + interval '1 day'",
                "DELETE FROM flowstone.human_tasks");
    }

    @Test
    void readsWhatTheCommitWrote() throws Exception {
        RunKey run = stored(lease(0));

        Projection rows = read(run);

        assertEquals(1, rows.lastSequence());
        assertTrue(rows.awake());
        assertEquals("t1", rows.timers().getFirst().timer().value());
        assertEquals("n#2", rows.tasks().getFirst().activation().toString());
        assertEquals(List.of("user:ada"), rows.tasks().getFirst().assignees());
        assertEquals(1, rows.snapshot().orElseThrow().sequence());
        assertEquals(Optional.empty(), projections().read(Moves.run(lease(1))));
    }

    @Test
    void putsRightWhatDiffers() throws Exception {
        Lease lease = lease(0);
        RunKey run = stored(lease);
        Projection before = read(run);
        spoil();
        List<Difference> differences = Differences.of(read(run), before);
        assertEquals(3, differences.size(), differences::toString);

        assertTrue(projections().correct(lease, new Correction(before, differences)));

        assertEquals(List.of(), Differences.of(read(run), before));
        assertEquals(1, number("SELECT count(*) FROM flowstone.human_task_parties"));
    }

    @Test
    void aPartyThatListsWouldNotFindIsADifferenceToo() throws Exception {
        Lease lease = lease(0);
        RunKey run = stored(lease);
        Projection before = read(run);
        admin("DELETE FROM flowstone.human_task_parties");
        List<Difference> differences = Differences.of(read(run), before);
        assertEquals(
                List.of(Difference.Part.TASKS),
                differences.stream().map(Difference::part).toList());

        assertTrue(projections().correct(lease, new Correction(before, differences)));

        assertEquals(1, number("SELECT count(*) FROM flowstone.human_task_parties WHERE party = 'user:ada'"));
    }

    @Test
    void writesNothingOnceTheRunHasMoved() throws Exception {
        Lease lease = lease(0);
        RunKey run = stored(lease);
        Projection before = read(run);
        spoil();
        List<Difference> differences = Differences.of(read(run), before);
        journal().commit(Moves.commit(lease, Moves.plain(run, 1)));

        assertFalse(projections().correct(lease, new Correction(before, differences)));

        assertEquals(List.of(), read(run).tasks());
    }

    @Test
    void whoHasLostTheShardWritesNothing() throws Exception {
        Lease lost = lease(0);
        RunKey run = stored(lost);
        Projection before = read(run);
        spoil();
        List<Difference> differences = Differences.of(read(run), before);
        Lease _ = lease(0);

        assertThrows(StaleEpoch.class, () -> projections().correct(lost, new Correction(before, differences)));

        assertEquals(List.of(), read(run).tasks());
    }
}
