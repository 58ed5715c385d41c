package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** R26 in the engine: a run that is moved while others have something for it hears all of it, once. */
final class MigrationMessageStoryTest {
    private final MigrationStory story = new MigrationStory();
    private final World world = story.world;

    private static Program awaiting(String after) {
        return ProgramBuilder.dag("awaiting")
                .await("paid", "paid", "order-1")
                .task(after, "core.echo")
                .edge("start", "paid")
                .edge("paid", after)
                .build();
    }

    private static CompletableFuture<CallAnswer> signal(SteppedNode node) {
        return MigrationStory.call(
                node,
                Aggregates.channel(World.TENANT, "paid", "order-1"),
                new Command.SendSignal(
                        World.TENANT,
                        Aggregates.channel(World.TENANT, "paid", "order-1"),
                        "paid",
                        "order-1",
                        Payload.of(new JsonString("42")),
                        Optional.empty(),
                        false,
                        Duration.ofHours(1)));
    }

    /** Whichever comes first, the signal is neither lost nor heard twice, and the run goes on by one program. */
    @Test
    void aSignalAndAMoveAtOnceBothHappenOrTheMoveIsRefused() {
        for (boolean moveFirst : List.of(true, false)) {
            World own = new World(2);
            SteppedNode node = own.node("one");
            var started = node.node().start(own.publish(awaiting("old")).start());
            node.settle();
            RunId run = World.started(started);
            Published to = Published.next(own.ports.workflows(), World.TENANT, awaiting("new"), own.clock.now());
            CompletableFuture<CallAnswer> move =
                    moveFirst ? MigrationStory.call(node, run, MigrationStory.migrate(to, Map.of())) : signal(node);
            CompletableFuture<CallAnswer> other =
                    moveFirst ? signal(node) : MigrationStory.call(node, run, MigrationStory.migrate(to, Map.of()));
            node.settle();

            assertInstanceOf(CallAnswer.Done.class, (moveFirst ? other : move).join());
            boolean moved = (moveFirst ? move : other).join() instanceof CallAnswer.Done;
            assertEquals(RunStatus.SUCCEEDED, own.row(run).status());
            assertEquals(moved ? 2 : 1, own.row(run).version());
            assertEquals(
                    List.of(moved ? "new" : "old"),
                    own.history(run).all(EventBody.TaskScheduled.class).stream()
                            .map(it -> it.activation().node().value())
                            .toList());
        }
    }

    /** A parent that moves while its child runs hears of the child's end; the child keeps the program that it began with. */
    @Test
    void aCallerThatMovesHearsOfItsChild() {
        SteppedNode node = world.node("one");
        Published child = world.publish(ProgramBuilder.dag("child")
                .timer("work", Duration.ofHours(1))
                .edge("start", "work")
                .build());
        RunId run = story.start(node, world.publish(calling("old")));
        Published to = story.next(calling("new"));
        story.next(ProgramBuilder.sequence("child", 1, "core.echo"));

        assertInstanceOf(CallAnswer.Done.class, MigrationStory.ask(node, run, MigrationStory.migrate(to, Map.of())));
        SteppedNode other = story.takeover(node, EngineConfig.of("one"));
        other.runUntil(() -> world.row(run).status().isFinal(), Duration.ofHours(2));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(
                List.of("new"),
                world.history(run).all(EventBody.TaskScheduled.class).stream()
                        .map(it -> it.activation().node().value())
                        .toList());
        RunId called = world.history(run)
                .all(MessageEvent.ChildStarted.class)
                .getFirst()
                .child();
        assertEquals(child.hash(), world.row(called).program());
    }

    private static Program calling(String after) {
        return ProgramBuilder.dag("calling")
                .call("child", "child", Map.of())
                .task(after, "core.echo")
                .edge("start", "child")
                .edge("child", after)
                .build();
    }
}
