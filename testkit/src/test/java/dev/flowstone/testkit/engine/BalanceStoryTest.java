package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nodes that share shards: each has its part, whoever comes, goes or dies. */
final class BalanceStoryTest {
    private static final Duration MOMENT = Duration.ofMillis(200);

    private final World world = new World(4);
    private final Published work = world.publish(SmallPrograms.work());
    private final List<SteppedNode> nodes = new ArrayList<>();

    private static EngineConfig sharing(String name) {
        return EngineConfig.of(name).withMember(new Member(name, name + ".example:7070", "1"));
    }

    private SteppedNode join(String name) {
        SteppedNode node = world.node(sharing(name), BuiltInActions.registry());
        nodes.add(node);
        return node;
    }

    /** All of them go on for so long, in small steps, as if each had a thread. */
    private void pass(Duration time) {
        for (Duration gone = Duration.ZERO; gone.compareTo(time) < 0; gone = gone.plus(MOMENT)) {
            world.clock.advance(MOMENT);
            nodes.forEach(SteppedNode::settle);
        }
    }

    private static int shards(SteppedNode node) {
        return (int) node.node().loops().stream()
                .filter(loop -> loop.status() == ShardStatus.RUNNING)
                .count();
    }

    private Map<ShardId, String> holders() throws JournalException {
        Map<ShardId, String> holders = new TreeMap<>(Comparator.naturalOrder());
        world.ports.leases().census().holdings().forEach((shard, holding) -> holders.put(shard, holding.holder()));
        return holders;
    }

    private void stop(SteppedNode node) {
        node.node().beginStop();
        node.node().giveBack();
        node.settle();
        node.node().release();
        nodes.remove(node);
    }

    @Test
    void whoComesGetsItsPart() throws JournalException {
        SteppedNode one = join("one");
        pass(Duration.ofSeconds(3));
        assertEquals(4, shards(one));

        SteppedNode two = join("two");
        pass(Duration.ofSeconds(5));
        assertEquals(List.of(2, 2), List.of(shards(one), shards(two)));

        Map<ShardId, String> before = holders();
        SteppedNode three = join("three");
        pass(Duration.ofSeconds(5));
        assertEquals(1, shards(three));
        assertEquals(4, shards(one) + shards(two) + shards(three));
        long moved = holders().entrySet().stream()
                .filter(shard -> !shard.getValue().equals(before.get(shard.getKey())))
                .count();
        assertEquals(1, moved, "no more moves than must");
    }

    @Test
    void whatTheDeadHadIsDividedWithinTenSeconds() {
        SteppedNode one = join("one");
        SteppedNode two = join("two");
        SteppedNode three = join("three");
        pass(Duration.ofSeconds(12));
        RunId run = World.start(two, work);
        World.crash(two);
        nodes.remove(two);

        pass(Duration.ofSeconds(10));

        assertEquals(List.of(2, 2), List.of(shards(one), shards(three)));
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void whoStopsLeavesItsPartAtOnce() throws JournalException {
        SteppedNode one = join("one");
        SteppedNode two = join("two");
        pass(Duration.ofSeconds(6));

        stop(two);
        pass(Duration.ofSeconds(4));

        assertEquals(4, shards(one));
        assertEquals(
                List.of("one"),
                world.ports.leases().census().present().stream()
                        .map(present -> present.member().name())
                        .toList());
    }

    /** Eight attempts that have begun on the first of two nodes, and end when they may. */
    private final class Begun {
        final CountDownLatch begun = new CountDownLatch(8);
        final CountDownLatch over = new CountDownLatch(1);
        final Map<RunId, Integer> calls = new ConcurrentHashMap<>();
        final List<RunId> runs = new ArrayList<>();
        final HandlerRegistry handlers = World.handlers(SmallPrograms.HANDLER, call -> {
            calls.merge(call.run(), 1, Integer::sum);
            begun.countDown();
            over.await();
            return TaskResult.ok(JsonNull.NULL);
        });
        final Published program = world.publish(SmallPrograms.one(SmallPrograms.attempts(1), Duration.ofMinutes(5)));
        final SteppedNode one = world.threadedNode(sharing("one"), handlers);
        final SteppedNode two = world.threadedNode(sharing("two"), handlers);

        Begun() throws InterruptedException {
            for (int i = 0; i < 8; i++) {
                runs.add(World.start(one, program));
            }
            assertTrue(begun.await(20, TimeUnit.SECONDS));
        }

        void pass(Duration time) {
            for (Duration gone = Duration.ZERO; gone.compareTo(time) < 0; gone = gone.plus(MOMENT)) {
                world.clock.advance(MOMENT);
                one.settleLoops();
                two.settleLoops();
            }
        }

        /** In real time, which handlers have: nothing is due meanwhile. */
        void untilTheySucceed(List<RunId> all) {
            World.until(one, () -> {
                two.settleLoops();
                return all.stream().allMatch(run -> world.row(run).status() == RunStatus.SUCCEEDED);
            });
        }
    }

    /** Meanwhile it takes commands; and nothing that has been handed out is handed out again. */
    @Test
    void aShardThatMovesLetsItsHandlersEnd() throws InterruptedException {
        Begun story = new Begun();

        story.pass(Duration.ofSeconds(5));
        assertEquals(List.of(4, 0), List.of(shards(story.one), shards(story.two)), "they work still");
        List<RunId> late = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            late.add(World.start(story.one, story.program));
        }
        story.over.countDown();
        story.untilTheySucceed(story.runs);
        story.pass(Duration.ofSeconds(3));
        story.untilTheySucceed(late);

        assertEquals(List.of(2, 2), List.of(shards(story.one), shards(story.two)));
        assertEquals(Set.of(1), Set.copyOf(story.calls.values()));
    }

    /** What doesn't end in time is given back, and done by whoever has its shard then. */
    @Test
    void aHandlerThatDoesNotEndInTimeIsGivenBack() throws InterruptedException {
        Begun story = new Begun();

        story.pass(Duration.ofSeconds(16));
        assertEquals(List.of(2, 2), List.of(shards(story.one), shards(story.two)));
        story.over.countDown();
        story.untilTheySucceed(story.runs);

        assertTrue(story.calls.values().stream().anyMatch(calls -> calls == 2), story.calls::toString);
        assertTrue(story.calls.values().stream().allMatch(calls -> calls <= 2), story.calls::toString);
    }

    /** A node of the release before takes all that is free and gives nothing away. */
    @Test
    void besideANodeThatSharesWithNobodyTheOthersShareTheRest() {
        SteppedNode old = world.node("old");
        nodes.add(old);
        SteppedNode one = join("one");
        SteppedNode two = join("two");
        pass(Duration.ofSeconds(12));
        assertEquals(List.of(4, 0, 0), List.of(shards(old), shards(one), shards(two)));

        stop(old);
        pass(Duration.ofSeconds(4));

        assertEquals(List.of(2, 2), List.of(shards(one), shards(two)));
    }

    @Test
    void moreNodesThanShardsLeaveOneReadyToTakeOver() {
        World small = new World(1);
        SteppedNode one = small.node(sharing("one"), BuiltInActions.registry());
        SteppedNode two = small.node(sharing("two"), BuiltInActions.registry());
        for (int i = 0; i < 60; i++) {
            small.clock.advance(MOMENT);
            one.settle();
            two.settle();
        }
        assertEquals(List.of(1, 0), List.of(shards(one), shards(two)));
        CompletableFuture<StartAnswer> elsewhere =
                two.node().start(small.publish(SmallPrograms.work()).start());
        assertInstanceOf(StartAnswer.Busy.class, elsewhere.getNow(null));

        World.crash(one);
        for (int i = 0; i < 50; i++) {
            small.clock.advance(MOMENT);
            two.settle();
        }

        assertEquals(1, shards(two));
        assertTrue(two.node().ready());
    }

    /** Else it would announce itself no longer for hours, and be taken for gone. */
    @Test
    void aClockThatIsSetBackStopsNobody() {
        VirtualClock own = new VirtualClock(world.clock.now());
        Ports ports = new Ports(
                world.ports.journal(),
                world.ports.leases(),
                world.ports.outbox(),
                world.ports.inbox(),
                world.ports.runs(),
                world.ports.humanTasks(),
                world.ports.feed(),
                world.ports.workflows(),
                own);
        SteppedNode wrong = new SteppedNode(
                own, sharing("wrong"), EngineParts.of(ports, new ScriptExpressions(), BuiltInActions.registry()));
        SteppedNode right = join("right");
        for (int i = 0; i < 200; i++) {
            own.advance(MOMENT);
            if (i == 60) {
                assertEquals(List.of(2, 2), List.of(shards(wrong), shards(right)));
                own.set(own.now().minus(Duration.ofHours(3)));
            }
            wrong.settle();
            pass(MOMENT);
            assertTrue(i < 60 || (shards(wrong) == 2 && shards(right) == 2), "nothing moves");
        }
    }

    /** What comes meanwhile is recorded and waits for the next owner; it mustn't keep the shard from going. */
    @Test
    void aShardGoesHoweverMuchComes() {
        SteppedNode one = join("one");
        pass(Duration.ofSeconds(3));
        SteppedNode two = new SteppedNode(world.clock, sharing("two"), world.parts(BuiltInActions.registry()));
        int requests = 0;
        for (int i = 0; i < 25; i++) {
            world.clock.advance(MOMENT);
            for (int each = 0; each < 20; each++) {
                var _ = one.node().start(work.start("request-" + requests++));
            }
            one.settleLoops();
            two.settle();
        }

        assertEquals(List.of(2, 2), List.of(shards(one), shards(two)));
    }
}
