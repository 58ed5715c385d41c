package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.SmallPrograms.HANDLER;
import static dev.flowstone.testkit.engine.SmallPrograms.attempts;
import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Large inputs and outputs are set aside, within bounds, and read where they are needed. */
final class LargeValueStoryTest {
    private final World world = new World();

    @Test
    void aLargeOutputIsSetAsideAndRead() {
        Published program = world.publish(ProgramBuilder.dag("large")
                .task("big", HANDLER)
                .task("reads", "core.echo", new JsonString("{{ context.data.big.tag }}"))
                .edge("start", "big")
                .when("big", "reads", "context.data.big.tag === 'here'")
                .build());
        JsonObject output = JsonObject.builder()
                .put("tag", "here")
                .put("ballast", "b".repeat(4 << 20))
                .build();
        SteppedNode node = world.node(EngineConfig.of("one"), World.handlers(HANDLER, call -> TaskResult.ok(output)));
        RunId run = start(node, program);
        node.settle();

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status(), world.history(run)::toString);
        List<EventBody.TaskCompleted> done = world.history(run).all(EventBody.TaskCompleted.class);
        assertInstanceOf(Payload.Stored.class, done.getFirst().output());
        assertEquals(Payload.of(new JsonString("here")), done.getLast().output());
    }

    /** Two nodes that render alike store it once; a later attempt and another decision find it in the store. */
    @Test
    void aLargeRenderedInputIsSetAsideAndReachesItsHandlerWhole() {
        JsonObject trigger =
                JsonObject.builder().put("ballast", "b".repeat(2 << 20)).build();
        Published program = world.publish(ProgramBuilder.dag("large-input")
                .retry(attempts(2))
                .task("big", HANDLER, new JsonString("{{ trigger }}"))
                .task("twin", HANDLER, new JsonString("{{ trigger }}"))
                .edge("start", "big")
                .edge("start", "twin")
                .build());
        List<JsonValue> seen = new ArrayList<>();
        SteppedNode node = world.node(EngineConfig.of("one"), World.handlers(HANDLER, call -> {
            seen.add(call.input());
            return call.attempt() == 1 ? TaskResult.retryable("AGAIN", "again") : TaskResult.ok(JsonNull.NULL);
        }));
        CompletableFuture<StartAnswer> answer =
                node.node().start(program.start(Optional.empty(), Map.of("trigger", trigger)));
        node.settleLoops();
        RunId run = World.started(answer);
        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofMinutes(1));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status(), world.history(run)::toString);
        assertEquals(List.of(trigger, trigger, trigger, trigger), seen);
        EventBody.RunStarted started =
                world.history(run).all(EventBody.RunStarted.class).getFirst();
        EventBody.TaskScheduled scheduled =
                world.history(run).all(EventBody.TaskScheduled.class).getFirst();
        assertEquals(started.input().get("trigger"), scheduled.input().orElseThrow());
        assertInstanceOf(Payload.Stored.class, scheduled.input().orElseThrow());
    }

    /** However many runs of a batch render large inputs: one commit carries about so many bytes of them. */
    @Test
    void whatDecisionsSetAsideIsBoundedInACommit() {
        Published program = world.publish(ProgramBuilder.dag("wordy")
                .task("t", HANDLER, new JsonString("b".repeat(2 << 20)))
                .edge("start", "t")
                .build());
        SteppedNode node = world.node(
                EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withBatchBytes(3 << 20)),
                World.handlers(HANDLER, call -> TaskResult.ok(JsonNull.NULL)));
        List<Integer> large = new ArrayList<>();
        world.journal.on((commit, to) -> {
            int payloads = commit.moves().stream()
                    .mapToInt(move -> move.payloads().size())
                    .sum();
            if (payloads > 0) {
                large.add(payloads);
            }
            return to.commit(commit);
        });
        List<CompletableFuture<StartAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(node.node().start(program.start()));
        }
        node.settle();

        assertEquals(List.of(2, 2, 1), large);
        answers.forEach(answer -> assertEquals(
                RunStatus.SUCCEEDED, world.row(World.started(answer)).status()));
    }

    /** What several ends give together is set aside as well, made of results that stand aside themselves. */
    @Test
    void aLargeOutputOfSeveralEndsIsSetAside() throws JournalException {
        Published program = world.publish(ProgramBuilder.dag("ends")
                .task("left", HANDLER)
                .task("right", HANDLER)
                .edge("start", "left")
                .edge("start", "right")
                .build());
        JsonObject output =
                JsonObject.builder().put("ballast", "b".repeat(2 << 20)).build();
        SteppedNode node = world.node(EngineConfig.of("one"), World.handlers(HANDLER, call -> TaskResult.ok(output)));
        RunId run = start(node, program);
        node.settle();

        Payload stored =
                world.history(run).all(EventBody.RunCompleted.class).getFirst().output();
        assertInstanceOf(Payload.Stored.class, stored);
        assertEquals(
                JsonObject.builder().put("left", output).put("right", output).build(),
                new PayloadReader(world.ports.journal()).resolve(World.TENANT, stored));
    }

    @Test
    void anInputThatCannotBeReadNowUsesUpNoAttempt() {
        Published program = world.publish(ProgramBuilder.dag("in")
                .task("big", HANDLER)
                .task("eats", HANDLER, new JsonString("{{ context.data.big }}"))
                .edge("start", "big")
                .edge("big", "eats")
                .build());
        SteppedNode node = world.node(
                EngineConfig.of("one"),
                World.handlers(HANDLER, call -> TaskResult.ok(new JsonString("z".repeat(100_000)))));
        RunId run = start(node, program);
        assertTrue(node.runHandler());
        node.settleLoops();
        world.journal.cut();
        assertTrue(node.runHandler());
        node.settleLoops();
        world.journal.heal();
        node.advance(Duration.ofSeconds(10));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status(), world.history(run)::toString);
        assertEquals(2, world.history(run).count(EventBody.TaskScheduled.class));
    }

    /** A large value is read once and then known, as long as there is room for it. */
    @Test
    void conditionsReadALargeValueOnce() {
        Published program = world.publish(ProgramBuilder.dag("reads")
                .retry(attempts(2))
                .task("big", HANDLER)
                .task("a", "core.echo")
                .task("b", "core.echo")
                .task("c", "core.echo")
                .edge("start", "big")
                .when("big", "a", "context.data.big.length > 5")
                .when("a", "b", "context.data.big.length > 6")
                .when("b", "c", "context.data.big.length > 7")
                .build());
        HandlerRegistry big = World.handlers(HANDLER, call -> TaskResult.ok(new JsonString("z".repeat(100_000))));

        assertEquals(0, readsOf(program, EngineConfig.of("one"), big), "it came with its result");
        EngineConfig tiny = EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withPayloads(1_000));
        assertEquals(2, readsOf(program, tiny, big), "at each later decision");
        EngineConfig cold = EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withPayloads(1 << 20));
        SteppedNode before = world.node(cold, big);
        RunId run = start(before, program);
        assertTrue(before.runHandler());
        before.settleLoops();
        before.node().loops().forEach(loop -> loop.end("crashed"));
        int reads = world.journal.payloadReads();
        world.node(cold, big);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(1, world.journal.payloadReads() - reads, "once after a restart");
    }

    private int readsOf(Published program, EngineConfig config, HandlerRegistry handlers) {
        SteppedNode node = world.node(config, handlers);
        int before = world.journal.payloadReads();
        RunId run = start(node, program);
        node.settle();
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status(), world.history(run)::toString);
        assertEquals(4, world.history(run).count(EventBody.TaskCompleted.class));
        return world.journal.payloadReads() - before;
    }

    /** cases.md 7: all at once, and each with facts of its own to ask for; none is lost or broken off. */
    @Test
    void manyCompletionsOfOneRunInOneBatchMayEachReadALargeValue() {
        ProgramBuilder wide = ProgramBuilder.dag("wide").task("join", "core.echo");
        for (int i = 0; i < 300; i++) {
            wide.task("t" + i, HANDLER)
                    .edge("start", "t" + i)
                    .when("t" + i, "join", "context.data.t" + i + ".length > 5");
        }
        SteppedNode node = world.node(
                EngineConfig.of("one").withBounds(Bounds.DEFAULT.withContextBytes(64 << 20)),
                World.handlers(
                        HANDLER,
                        call -> TaskResult.ok(
                                new JsonString(call.activation().toString().repeat(10_000)))));
        RunId run = start(node, world.publish(wide.build()));
        for (int i = 0; i < 300; i++) {
            assertTrue(node.runHandler());
        }
        node.settle();

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(301, world.history(run).count(EventBody.TaskCompleted.class));
    }
}
