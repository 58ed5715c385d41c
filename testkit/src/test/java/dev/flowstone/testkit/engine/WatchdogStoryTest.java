package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The watchdog over decisions (ADR 0020) measures what is computed, and not what the database takes to answer. */
final class WatchdogStoryTest {
    private static final Duration READING = Duration.ofSeconds(100);

    private final World world = new World();

    /** Of what follows its first task, the second needs a value that is kept in the database, and in no memory. */
    private final Published readsALargeValue = world.publish(ProgramBuilder.dag("reads")
            .task("a", "core.echo")
            .task("b", "core.echo", new JsonString("{{ 1 + 1 }}"))
            .task("c", "core.echo", new JsonString("{{ trigger.tag }}"))
            .edge("start", "a")
            .edge("a", "b")
            .edge("a", "c")
            .build());

    /** What the watchdog sees while it is read, and after each rendering. */
    private final List<Boolean> whileReading = new ArrayList<>();

    private final List<Boolean> afterRendering = new ArrayList<>();

    private SteppedNode node(Duration rendering) {
        List<SteppedNode> made = new ArrayList<>(1);
        Expressions slow = new Slow(() -> {
            world.clock.advance(rendering);
            afterRendering.add(hangs(made));
        });
        SteppedNode node = new SteppedNode(
                world.clock,
                EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withPayloads(4)),
                EngineParts.of(world.ports, slow, BuiltInActions.registry()).withRandom(new SplittableRandom(1)));
        made.add(node);
        node.settle();
        world.journal.beforePayloads(() -> {
            world.clock.advance(READING);
            whileReading.add(hangs(made));
        });
        return node;
    }

    private static boolean hangs(List<SteppedNode> nodes) {
        return nodes.stream().flatMap(node -> node.node().loops().stream()).anyMatch(ShardLoop::hangs);
    }

    private RunId run(SteppedNode node) {
        JsonObject trigger = JsonObject.builder()
                .put("tag", "here")
                .put("ballast", "b".repeat(2 << 20))
                .build();
        CompletableFuture<StartAnswer> answer =
                node.node().start(readsALargeValue.start(Optional.empty(), Map.of("trigger", trigger)));
        node.settleLoops();
        return World.started(answer);
    }

    @Test
    void aDatabaseThatIsSlowToReadForADecisionIsNoDecisionThatHangs() {
        SteppedNode node = node(Duration.ZERO);
        RunId run = run(node);
        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofMinutes(10));

        assertTrue(!whileReading.isEmpty(), "the decision needed a read");
        assertEquals(List.of(), whileReading.stream().filter(it -> it).toList());
        assertEquals(
                List.of(), afterRendering.stream().filter(it -> it).toList(), "the read is not counted afterwards");
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    /** Else a decision that asks for facts again and again would never be seen to hang. */
    @Test
    void whatIsDecidedBeforeAndAfterAReadCountsTogether() {
        SteppedNode node = node(Duration.ofSeconds(12));
        RunId run = run(node);
        whileReading.clear();
        afterRendering.clear();
        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofMinutes(10));

        assertEquals(List.of(false), whileReading.stream().distinct().toList());
        assertTrue(
                afterRendering.contains(true), () -> "36 s of rendering, a read after the first 12: " + afterRendering);
    }

    @Test
    void nothingHangsOnceItIsDecided() {
        SteppedNode node = node(Duration.ofSeconds(40));
        RunId run = start(node, world.publish(SmallPrograms.work()));

        assertTrue(afterRendering.contains(true), "while it was decided it did");
        world.clock.advance(Duration.ofSeconds(40));
        assertEquals(RunStatus.RUNNING, world.row(run).status());
        assertTrue(!hangs(List.of(node)));
    }

    /** Expressions that take their time to render. */
    private static final class Slow implements Expressions {
        private final Expressions real = new ScriptExpressions();
        private final Runnable rendered;

        Slow(Runnable rendered) {
            this.rendered = rendered;
        }

        @Override
        public Optional<ExpressionError> checkCondition(String source) {
            return real.checkCondition(source);
        }

        @Override
        public Evaluation condition(String source, Roots roots) {
            return real.condition(source, roots);
        }

        @Override
        public Rendering render(JsonValue template, Roots roots) {
            Rendering rendering = real.render(template, roots);
            rendered.run();
            return rendering;
        }
    }
}
