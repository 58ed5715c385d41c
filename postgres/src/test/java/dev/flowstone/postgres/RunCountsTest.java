package dev.flowstone.postgres;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.archive.ArchiveResult;
import dev.flowstone.engine.archive.ArchiveStage;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What commits count is what a recount finds, whatever they did, beside each other, and after archives. */
final class RunCountsTest extends ArchiveStories {
    private static final List<WorkflowId> WORKFLOWS = List.of(new WorkflowId("one"), new WorkflowId("two"));
    private static final List<TenantId> TENANTS = List.of(Moves.ACME, Moves.OTHER);

    private static final List<RunStatus> STATUSES = List.of(RunStatus.values());

    private record Known(WorkflowId workflow, long sequence) {}

    /** Births, moves into any status, repeated births and moves that lose, in commits of several runs. */
    private void history(Lease of, long seed, int commits) throws Exception {
        Random random = new Random(seed);
        Map<RunKey, Known> known = new TreeMap<>();
        for (int n = 0; n < commits; n++) {
            Map<RunKey, RunMove> moves = new TreeMap<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                boolean birth = known.isEmpty() || random.nextInt(3) == 0;
                RunKey key = birth
                        ? Moves.run(of, TENANTS.get(random.nextInt(2)), Instant.now())
                        : List.copyOf(known.keySet()).get(random.nextInt(known.size()));
                Known before = known.getOrDefault(key, new Known(WORKFLOWS.get(random.nextInt(2)), 0));
                RunStatus status = STATUSES.get(random.nextInt(STATUSES.size()));
                boolean loses = !birth && random.nextInt(5) == 0;
                long expected = !loses ? before.sequence() : random.nextBoolean() ? 0 : before.sequence() + 1;
                moves.put(key, Moves.into(status, key, before.workflow(), expected));
            }
            for (RunKey moved : journal()
                    .commit(new Commit(of, List.copyOf(moves.values()), List.of()))
                    .moved()) {
                RunMove move = requireNonNull(moves.get(moved));
                known.put(moved, new Known(move.workflow(), move.newSequence()));
            }
        }
    }

    @Test
    void countsEqualARecountAfterRandomHistoriesOfTwoShardsAtOnce() throws Exception {
        Lease other = lease(1);
        long seed = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Callable<Void>> shards = List.of(
                    () -> {
                        history(lease, seed, 300);
                        return null;
                    },
                    () -> {
                        history(other, seed + 1, 300);
                        return null;
                    });
            for (Future<Void> shard : threads.invokeAll(shards)) {
                shard.get();
            }
            Recount.assertRight(config(), opened().ports());
        } catch (Exception | AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
        long unfolded = number("SELECT count(DISTINCT (stream, number)) FROM flowstone.run_count_changes");
        assertTrue(unfolded < 2 * 64, () -> unfolded + " commits are not folded, seed " + seed);
    }

    @Test
    void aCommitThatFailsCountsNothing() throws Exception {
        for (int n = 1; n < 64; n++) {
            journal().commit(Moves.commit(lease, Moves.plain(Moves.run(lease), 0)));
        }
        Commit folding = Moves.commit(lease, Moves.plain(Moves.run(lease), 0));
        admin("CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN RAISE EXCEPTION ''refused at the end''; END'");
        admin("CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON flowstone.feed INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION public.refuse()");

        assertThrows(JournalException.class, () -> journal().commit(folding));

        assertEquals(63, number("SELECT sum(runs) FROM flowstone.run_count_changes"));
        assertEquals(0, number("SELECT count(*) FROM flowstone.run_counts"));
        Recount.assertRight(config(), opened().ports());
        admin("DROP TRIGGER refuse ON flowstone.feed");
        journal().commit(folding);
        assertEquals(0, number("SELECT count(*) FROM flowstone.run_count_changes"));
        Recount.assertRight(config(), opened().ports());
    }

    @Test
    void runsThatLeaveWithAnArchiveAreCountedNoMore() throws Exception {
        List<RunKey> gone = new ArrayList<>(List.of(over(Moves.ACME), over(Moves.ACME), over(Moves.OTHER)));
        RunKey stays = living();

        assertInstanceOf(ArchiveResult.Archived.class, archive(ArchiveStage.Listener.NONE));

        for (RunKey run : gone) {
            assertFalse(isThere(run));
        }
        assertTrue(isThere(stays));
        assertEquals(
                1, opened().ports().runs().counts(Moves.ACME, Optional.empty()).counted());
        Recount.assertRight(config(), opened().ports());
    }

    @Test
    void partiesThatAreAskedAsBeforeAreNotWrittenAnew() throws Exception {
        journal().commit(Moves.commit(lease, Moves.full(Moves.run(lease), 0), Moves.full(Moves.run(lease), 0)));
        String versions = "SELECT count(DISTINCT xmin::text) FROM flowstone.human_task_parties";

        admin("UPDATE flowstone.human_tasks SET content = '{\"title\":\"new\"}'");
        assertEquals(1, number(versions));

        admin("UPDATE flowstone.human_tasks SET claimed_by = 'user:ada', assignees = assignees || ARRAY['role:many']"
                + " WHERE run_id = (SELECT min(run_id::text)::uuid FROM flowstone.human_tasks)");
        assertEquals(2, number(versions));
        assertEquals(3, number("SELECT count(*) FROM flowstone.human_task_parties"));
        Recount.assertRight(config(), opened().ports());
    }
}
