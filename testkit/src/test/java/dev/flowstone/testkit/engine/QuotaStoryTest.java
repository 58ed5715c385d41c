package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.Quotas;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRates;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whoever asks much waits for itself: tenants share a node by turns, and may be held to a rate. */
final class QuotaStoryTest {
    private static final TenantId MUCH = World.TENANT;
    private static final TenantId LITTLE = new TenantId("little");
    private static final TenantId FEW = new TenantId("few");
    private static final Program ECHO = ProgramBuilder.sequence("echo", 1, "core.echo");

    private final World world = new World();
    private final Published much = world.publish(ECHO);
    private final Published little = Published.in(world.ports.workflows(), LITTLE, ECHO, world.clock.now());
    private final Published few = Published.in(world.ports.workflows(), FEW, ECHO, world.clock.now());

    private SteppedNode node(int queue, int batch, Quotas quotas) {
        EngineConfig config = EngineConfig.of("one")
                .withShard(ShardConfig.DEFAULT.withStartQueue(queue).withBatch(batch))
                .withQuotas(quotas);
        return world.node(config, BuiltInActions.registry());
    }

    private static List<CompletableFuture<StartAnswer>> ask(SteppedNode node, Published program, int times) {
        return IntStream.range(0, times)
                .mapToObj(_ -> node.node().start(program.start()))
                .toList();
    }

    private static long started(List<CompletableFuture<StartAnswer>> answers) {
        return answers.stream()
                .filter(answer -> answer.getNow(null) instanceof StartAnswer.Started)
                .count();
    }

    private static long busy(List<CompletableFuture<StartAnswer>> answers) {
        return answers.stream()
                .filter(answer -> answer.getNow(null) instanceof StartAnswer.Busy)
                .count();
    }

    @Test
    void aTenantThatFloodsANodeLeavesRoomForOthers() {
        SteppedNode node = node(90, 16, Quotas.NONE);

        assertEquals(120, busy(ask(node, much, 200)), "eight of nine places, and no more");
        assertEquals(0, busy(ask(node, little, 5)));
    }

    @Test
    void whoAsksLittleIsServedInTheNextRound() {
        SteppedNode node = node(90, 16, Quotas.NONE);
        List<CompletableFuture<StartAnswer>> flood = ask(node, much, 80);
        List<CompletableFuture<StartAnswer>> others = ask(node, little, 5);

        node.stepLoops();

        assertEquals(5, started(others));
        assertEquals(11, started(flood), "what the others leave of a batch of 16");
        node.settle();
        assertEquals(80, started(flood));
    }

    @Test
    void turnsAreByWeight() {
        SteppedNode node = node(1_000, 12, new Quotas(0, Map.of(), Map.of(LITTLE, 4)));
        List<CompletableFuture<StartAnswer>> first = ask(node, much, 30);
        List<CompletableFuture<StartAnswer>> second = ask(node, little, 30);
        List<CompletableFuture<StartAnswer>> third = ask(node, few, 30);

        node.stepLoops();

        assertEquals(List.of(2L, 8L, 2L), List.of(started(first), started(second), started(third)));
    }

    @Test
    void startsBeyondTheRateAreToldWhenToComeBack() {
        SteppedNode node = node(1_000, 100, new Quotas(4, Map.of(LITTLE, 0.5, FEW, 0.0), Map.of()));

        List<CompletableFuture<StartAnswer>> burst = ask(node, much, 5);
        StartAnswer.OverQuota over =
                assertInstanceOf(StartAnswer.OverQuota.class, burst.getLast().getNow(null));
        assertEquals(Duration.ofMillis(250), over.retryAfter());
        assertTrue(over.reason().contains("acme starts at most 4 "), over.reason());
        world.clock.advance(Duration.ofMillis(249));
        assertInstanceOf(
                StartAnswer.OverQuota.class, ask(node, much, 1).getFirst().getNow(null));
        world.clock.advance(Duration.ofMillis(1));
        node.settle();
        List<CompletableFuture<StartAnswer>> again = ask(node, much, 2);
        node.settle();
        assertEquals(4, started(burst));
        assertEquals(1, started(again));

        List<CompletableFuture<StartAnswer>> slow = ask(node, little, 2);
        assertEquals(
                Duration.ofSeconds(2),
                assertInstanceOf(StartAnswer.OverQuota.class, slow.getLast().getNow(null))
                        .retryAfter());
        List<CompletableFuture<StartAnswer>> free = ask(node, few, 100);
        node.settle();
        assertEquals(1, started(slow));
        assertEquals(100, started(free));
    }

    /** A clock that was ahead must not keep a tenant out until it comes round. */
    @Test
    void aClockThatIsSetBackRefusesNobodyForLonger() {
        StartRates rates = new StartRates(new Quotas(1, Map.of(), Map.of()));
        Instant now = world.clock.now();
        assertEquals(Optional.empty(), rates.take(MUCH, now.plusSeconds(3_600)));

        assertEquals(Optional.of(Duration.ofSeconds(1)), rates.take(MUCH, now));
        assertEquals(Optional.empty(), rates.take(MUCH, now.plusSeconds(1)));
    }

    /** Whoever reads the clock and then waits for its turn comes with a time that is past. */
    @Test
    void aTimeThatIsALittleOldFillsNoBucket() {
        StartRates rates = new StartRates(new Quotas(100, Map.of(), Map.of()));
        Instant now = world.clock.now();
        for (int i = 0; i < 100; i++) {
            assertEquals(Optional.empty(), rates.take(MUCH, now));
        }

        for (int i = 1; i < 100; i++) {
            assertTrue(rates.take(MUCH, now.minusMillis(i)).isPresent(), "after " + i);
        }
        assertTrue(rates.take(MUCH, now).isPresent());
    }

    @Test
    void whoStartsNothingMoreIsForgotten() {
        StartRates rates = new StartRates(new Quotas(1, Map.of(), Map.of()));
        Instant now = world.clock.now();
        for (int i = 0; i < 1_000; i++) {
            rates.take(new TenantId("t" + i), now);
        }
        rates.take(MUCH, now.plusSeconds(10));

        assertEquals(1, rates.remembered());
    }

    /** What comes to no start doesn't count: a full queue, and a repetition. */
    @Test
    void onlyStartsCount() {
        SteppedNode node = node(1, 100, new Quotas(3, Map.of(), Map.of()));
        CompletableFuture<StartAnswer> first = node.node().start(much.start("a"));
        assertInstanceOf(
                StartAnswer.Busy.class, node.node().start(much.start("b")).getNow(null));
        assertInstanceOf(
                StartAnswer.Busy.class, node.node().start(much.start("b")).getNow(null));
        node.settle();
        for (int i = 0; i < 5; i++) {
            CompletableFuture<StartAnswer> again = node.node().start(much.start("a"));
            node.settle();
            assertEquals(new StartAnswer.Existing(World.started(first)), again.getNow(null));
        }
        for (String id : List.of("b", "c")) {
            CompletableFuture<StartAnswer> next = node.node().start(much.start(id));
            node.settle();
            World.started(next);
        }
        assertInstanceOf(
                StartAnswer.OverQuota.class, node.node().start(much.start("d")).getNow(null));
    }

    /** What is large is not taken out of turn, to lie before all others in the next rounds. */
    @Test
    void largeInputsOfOneTenantHoldUpNoOther() {
        EngineConfig config = EngineConfig.of("one")
                .withShard(
                        ShardConfig.DEFAULT.withStartQueue(1_000).withBatch(100).withBatchBytes(300_000));
        SteppedNode node = world.node(config, BuiltInActions.registry());
        JsonValue large = new JsonString("x".repeat(100_000));
        List<CompletableFuture<StartAnswer>> heavy = IntStream.range(0, 50)
                .mapToObj(_ -> node.node().start(much.start(Optional.empty(), Map.of("trigger", large))))
                .toList();
        node.stepLoops();
        List<CompletableFuture<StartAnswer>> light = ask(node, little, 1);
        node.stepLoops();
        node.stepLoops();

        assertEquals(1, started(light));
        assertTrue(started(heavy) < 20, started(heavy) + " of the large ones");
    }

    @Test
    void quotasWithoutAMeaningAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Quotas(-1, Map.of(), Map.of()));
        assertThrows(IllegalArgumentException.class, () -> new Quotas(Double.NaN, Map.of(), Map.of()));
        assertThrows(IllegalArgumentException.class, () -> new Quotas(0, Map.of(MUCH, -0.5), Map.of()));
        assertThrows(IllegalArgumentException.class, () -> new Quotas(0, Map.of(), Map.of(MUCH, 0)));
        assertThrows(IllegalArgumentException.class, () -> new Quotas(1e-12, Map.of(), Map.of()));
    }
}
