package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the engine does for a run grows with the run, and no faster: counted in commits, reads and bytes, not timed. */
final class LinearWorkTest {
    /** Lengths of numbers in ids and sequences grow too, by a digit or two. */
    private static final double LEEWAY = 1.15;

    /** What one run cost. */
    private static final class Bill {
        private long commits;
        private long reads;
        private long entryBytes;
        private long snapshots;
        private long snapshotBytes;

        void add(Commit commit) {
            commits++;
            for (RunMove move : commit.moves()) {
                move.entries().forEach(entry -> entryBytes += entry.bytes().length);
                move.snapshot().ifPresent(snapshot -> {
                    snapshots++;
                    snapshotBytes += snapshot.bytes().length;
                });
            }
        }

        @Override
        public String toString() {
            return commits + " commits, " + reads + " reads, " + entryBytes + " bytes of entries, " + snapshots
                    + " snapshots of " + snapshotBytes + " bytes";
        }
    }

    @Test
    void aChainFourTimesAsLongCostsFourTimesAsMuch() {
        Bill small = bill(ProgramBuilder.sequence("chain", 500, "core.echo"));
        Bill large = bill(ProgramBuilder.sequence("chain", 2_000, "core.echo"));

        String both = small + "; " + large;
        assertTrue(large.commits <= 4 * small.commits + 10, both);
        assertTrue(large.reads <= 4 * small.reads + 10, both);
        assertTrue(large.entryBytes <= LEEWAY * 4 * small.entryBytes, both);
        snapshotsCostNoMoreThanTheLog(large);
    }

    @Test
    void aFanOutFourTimesAsWideCostsFourTimesAsMuch() {
        Bill small = bill(ProgramBuilder.fanOut("fan", 500, "core.echo"));
        Bill large = bill(ProgramBuilder.fanOut("fan", 2_000, "core.echo"));

        String both = small + "; " + large;
        assertTrue(large.commits <= 4 * small.commits + 10, both);
        assertTrue(large.entryBytes <= LEEWAY * 4 * small.entryBytes, both);
        snapshotsCostNoMoreThanTheLog(large);
    }

    /** Each waits until as much was logged as the one before it took; the last may be the larger half. */
    private static void snapshotsCostNoMoreThanTheLog(Bill bill) {
        assertTrue(bill.snapshots > 1, bill::toString);
        assertTrue(bill.snapshotBytes <= 2 * bill.entryBytes, bill::toString);
    }

    private static Bill bill(Program program) {
        World world = new World();
        SteppedNode node = world.node("a");
        Published published = world.publish(program);
        Bill bill = new Bill();
        world.journal.on((commit, to) -> {
            bill.add(commit);
            return to.commit(commit);
        });
        long reads = world.journal.reads();
        RunId run = World.started(start(node, published));
        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofHours(1));
        bill.reads = (long) world.journal.reads() - reads;
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        return bill;
    }

    private static CompletableFuture<StartAnswer> start(SteppedNode node, Published published) {
        CompletableFuture<StartAnswer> answer = node.node().start(published.start());
        node.settleLoops();
        return answer;
    }
}
