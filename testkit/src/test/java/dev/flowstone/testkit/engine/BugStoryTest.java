package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A bug inside a decision harms its command, at worst its run, never its neighbours. */
final class BugStoryTest {
    private final World world = new World();
    private final SteppedNode node = new SteppedNode(
            world.clock,
            EngineConfig.of("one"),
            EngineParts.of(world.ports, new Buggy(), BuiltInActions.registry()).withRandom(new SplittableRandom(3)));
    private final Published healthy = world.publish(ProgramBuilder.sequence("healthy", 3, "core.echo"));

    /** Throws where an evaluator never should. */
    private static final class Buggy implements Expressions {
        private final ScriptExpressions real = new ScriptExpressions();

        @Override
        public Optional<ExpressionError> checkCondition(String source) {
            return real.checkCondition(source);
        }

        @Override
        public Evaluation condition(String source, Roots roots) {
            if (source.equals("bug")) {
                throw new IllegalStateException("a bug in the evaluator");
            }
            return real.condition(source, roots);
        }

        @Override
        public Rendering render(JsonValue template, Roots roots) {
            if (template.equals(new JsonString("bug"))) {
                throw new StackOverflowError();
            }
            return real.render(template, roots);
        }
    }

    private CompletableFuture<StartAnswer> start(Published program) {
        return node.node().start(program.start());
    }

    private void assertNeighboursLive(List<CompletableFuture<StartAnswer>> answers) {
        for (CompletableFuture<StartAnswer> answer : answers) {
            assertEquals(RunStatus.SUCCEEDED, world.row(World.started(answer)).status());
        }
        assertTrue(node.node().ready());
    }

    @Test
    void aStartWhoseDecisionThrowsIsRefused() {
        node.settle();
        Published buggy = world.publish(ProgramBuilder.dag("buggy")
                .task("t", "core.echo", new JsonString("bug"))
                .edge("start", "t")
                .build());
        List<CompletableFuture<StartAnswer>> neighbours = new ArrayList<>();
        neighbours.add(start(healthy));
        CompletableFuture<StartAnswer> refused = start(buggy);
        neighbours.add(start(healthy));
        node.settle();

        assertEquals(
                "ENGINE_ERROR",
                assertInstanceOf(StartAnswer.Refused.class, refused.getNow(null))
                        .code());
        assertNeighboursLive(neighbours);
    }

    @Test
    void aResultWhoseDecisionThrowsFailsItsTask() {
        node.settle();
        Published buggy = world.publish(ProgramBuilder.dag("buggy")
                .task("a", "core.echo")
                .task("b", "core.echo")
                .edge("start", "a")
                .when("a", "b", "bug")
                .build());
        CompletableFuture<StartAnswer> failing = start(buggy);
        List<CompletableFuture<StartAnswer>> neighbours = List.of(start(healthy), start(healthy));
        node.settle();

        RunId run = World.started(failing);
        assertEquals(RunStatus.FAILED, world.row(run).status());
        assertEquals(
                "ENGINE_ERROR",
                world.history(run)
                        .all(EventBody.TaskFailed.class)
                        .getFirst()
                        .error()
                        .code());
        assertNeighboursLive(neighbours);
    }

    @Test
    void aRunThatCannotEvenFailIsSetAside() {
        node.settle();
        Published buggy = world.publish(ProgramBuilder.dag("buggy")
                .task("a", "core.echo")
                .task("b", "core.echo")
                .edge("start", "a")
                .edge("a", "b", Outcome.ALWAYS, Optional.of("bug"))
                .build());
        CompletableFuture<StartAnswer> stuck = start(buggy);
        List<CompletableFuture<StartAnswer>> neighbours = List.of(start(healthy), start(healthy));
        node.settle();

        assertEquals(RunStatus.RUNNING, world.row(World.started(stuck)).status());
        assertEquals(1, node.node().setAside().size());
        assertNeighboursLive(neighbours);
    }

    @Test
    void aDecisionThatReachesItsBoundGoesOnInAnotherAlsoAfterACrash() {
        Published wide = world.publish(ProgramBuilder.fanOut("wide", 40, "core.echo"));
        EngineConfig small = EngineConfig.of("one").withBounds(new Bounds(3, 1_000, 1 << 20, 32 << 10, 5_000_000));
        SteppedNode first = world.node(small, BuiltInActions.registry());
        CompletableFuture<StartAnswer> answer = first.node().start(wide.start());
        first.stepLoops();
        assertTrue(first.runHandler());
        first.stepLoops();
        first.stepLoops();
        RunId run = World.started(answer);
        assertTrue(world.history(run).count(EventBody.ContinueScheduled.class) > 0, world.history(run)::toString);
        first.node().loops().forEach(loop -> loop.end("crashed"));

        Published retried = world.publish(ProgramBuilder.fanOut("wide again", 40, "core.echo"));
        SteppedNode second = world.node(small, BuiltInActions.registry());
        CompletableFuture<StartAnswer> again = second.node().start(retried.start());
        second.settle();

        assertTrue(world.row(run).status().isFinal(), "its lost attempts had no second try, but it came to an end");
        assertEquals(RunStatus.SUCCEEDED, world.row(World.started(again)).status());
        assertEquals(42, world.history(World.started(again)).count(EventBody.TaskCompleted.class));
    }

    /** Nothing but its own work list could wake it: no attempt is open and no timer set. */
    @Test
    void aRunThatContinuesIsTakenUpAfterACrash() {
        EngineConfig small = EngineConfig.of("one").withBounds(new Bounds(3, 1_000, 1 << 20, 32 << 10, 5_000_000));
        ProgramBuilder skips =
                ProgramBuilder.dag("skips").timer("wait", Duration.ofDays(1)).edge("start", "wait");
        for (int i = 0; i < 20; i++) {
            skips.task("t" + i, "core.echo").when("start", "t" + i, "false");
        }
        SteppedNode first = world.node(small, BuiltInActions.registry());
        CompletableFuture<StartAnswer> answer =
                first.node().start(world.publish(skips.build()).start());
        first.stepLoops();
        RunId run = World.started(answer);
        assertEquals(1, world.history(run).count(EventBody.ContinueScheduled.class), world.history(run)::toString);
        assertEquals(0, world.history(run).count(EventBody.TimerSet.class));
        first.node().loops().forEach(loop -> loop.end("crashed"));

        world.node(small, BuiltInActions.registry());

        assertEquals(20, world.history(run).count(EventBody.ActivationSkipped.class));
        assertEquals(1, world.history(run).count(EventBody.TimerSet.class));
    }
}
