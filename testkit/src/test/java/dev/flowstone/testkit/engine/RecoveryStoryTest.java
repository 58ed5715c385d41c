package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.World.crash;
import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a shard takes up after a crash: all of its runs, whatever stands in the way of one of them. */
final class RecoveryStoryTest {
    private final World world = new World();
    private final Published work = world.publish(SmallPrograms.work());

    /** A program that this release can't read stops its own runs, not their shard. */
    @Test
    void aProgramThatCannotBeReadStopsNobodyElse() throws JournalException {
        SteppedNode before = world.node("one");
        RunId healthy = start(before, work);
        Published future = ofTheFuture();
        before.node().programs().put(World.TENANT, future.hash(), future.program());
        RunId stuck = start(before, future);
        crash(before);

        SteppedNode after = world.node("one");

        assertTrue(after.node().ready());
        assertEquals(RunStatus.SUCCEEDED, world.row(healthy).status());
        assertEquals(RunStatus.RUNNING, world.row(stuck).status());
        assertEquals(1, after.node().setAside().size());
    }

    private Published ofTheFuture() throws JournalException {
        Program program = ProgramBuilder.dag("future")
                .task("a", "core.echo")
                .edge("start", "a")
                .build();
        byte[] bytes = "{\"form\":99}".getBytes(StandardCharsets.UTF_8);
        Sha256 hash = Sha256.digest(bytes);
        WorkflowRow row = new WorkflowRow(
                World.TENANT,
                program.workflow(),
                "future",
                Optional.empty(),
                WorkflowStatus.ACTIVE,
                true,
                1,
                1,
                Optional.empty(),
                world.clock.now(),
                world.clock.now(),
                0);
        WorkflowVersion version =
                new WorkflowVersion(World.TENANT, program.workflow(), 1, bytes, hash, hash, bytes, world.clock.now());
        assertTrue(world.ports.workflows().save(row, 0, Optional.of(version)).isPresent());
        return new Published(World.TENANT, program, hash, 1);
    }

    @Test
    void manyRunsAreTakenUpInPages() {
        SteppedNode before = world.node("one");
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 57; i++) {
            runs.add(start(before, work));
        }
        crash(before);

        SteppedNode after = world.node(
                EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withBatch(10)), BuiltInActions.registry());

        assertTrue(after.node().ready());
        for (RunId run : runs) {
            assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        }
    }

    @Test
    void aDamagedRunStandsStillAndNobodyElse() {
        SteppedNode before = world.node("one");
        RunId damaged = start(before, work);
        RunId healthy = start(before, work);
        crash(before);
        world.database.corrupt(new RunKey(World.TENANT, damaged), 0, 40);

        SteppedNode after = world.node("one");

        assertEquals(RunStatus.SUCCEEDED, world.row(healthy).status());
        assertEquals(RunStatus.RUNNING, world.row(damaged).status());
        assertEquals(1, after.node().setAside().size());
        assertTrue(after.node().ready());
    }

    @Test
    void everyPointOfACrashEndsInTheSameHistoryOfSteps() {
        for (int point = 0; point < 12; point++) {
            World fresh = new World();
            Published five = fresh.publish(ProgramBuilder.dag("five")
                    .retry(new Retry(3, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), false))
                    .task("a", "core.echo")
                    .task("b", "core.echo")
                    .task("c", "core.echo")
                    .edge("start", "a")
                    .edge("a", "b")
                    .edge("b", "c")
                    .build());
            SteppedNode first = fresh.node("one");
            CompletableFuture<StartAnswer> answer = first.node().start(five.start());
            for (int i = 0; i < point; i++) {
                var _ = i % 2 == 0 ? first.stepLoops() : first.runHandler();
            }
            crash(first);
            SteppedNode second = fresh.node("one");
            second.advance(Duration.ofSeconds(10));

            if (answer.getNow(null) instanceof StartAnswer.Started started) {
                assertEquals(RunStatus.SUCCEEDED, fresh.row(started.run()).status());
                assertEquals(3, fresh.history(started.run()).count(EventBody.TaskCompleted.class));
            }
        }
    }
}
