package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineNode;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How shards learn of what is set for scopes, and say so (R25). */
final class WideHoldShardStoryTest extends WideHoldStories {
    @Test
    void whatWaitsForAHandlerIsTakenBackBeforeTheShardAcknowledges() {
        SteppedNode node = node("one");
        RunId run = start(node, held);
        assertEquals(1, node.waitingHandlers());

        long number = change(node, suspend(TYPE));
        ShardLoop loop = node.node().loops().iterator().next();
        loop.step();
        assertEquals(List.of(0L), acknowledged(), "it may still have been on its way");
        node.settleLoops();

        assertEquals(List.of(number), acknowledged());
        assertEquals(1, world.history(run).count(ControlEvent.HoldImposed.class));
        node.settle();
        assertEquals(List.of(), called);

        change(node, resume(TYPE));
        node.settle();

        assertEquals(List.of(run), called);
        assertEquals(1, world.history(run).count(EventBody.TaskScheduled.class), "it used up no try");
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    @Test
    void whatAnotherNodeSetIsHeardWithinHalfASecond() {
        SteppedNode node = node("one");
        elsewhere(suspend(TYPE));
        node.advance(Duration.ofMillis(500));

        assertEquals(List.of(1L), acknowledged());
        start(node, held);
        node.settle();
        assertEquals(List.of(), called);

        elsewhere(resume(TYPE));
        node.advance(Duration.ofMillis(500));
        assertEquals(1, called.size());
    }

    @Test
    void whoeverTakesAShardOverKnowsTheSettingsBeforeItDecides() {
        SteppedNode before = node("one");
        RunId run = start(before, held);
        elsewhere(suspend(TYPE));

        // The same name takes its shards at once; nobody but the shard itself reads the settings.
        EngineNode node =
                new EngineNode(EngineConfig.of("one"), world.parts(handlers).withExecutor(Runnable::run));
        node.keepLeases();
        for (ShardLoop loop : node.loops()) {
            while (loop.step()) {}
        }

        assertEquals(List.of(), called);
        assertEquals(List.of(1L), acknowledged());
        assertEquals(1, world.history(run).count(ControlEvent.HoldImposed.class));

        SteppedNode after = node("one");
        change(after, resume(TYPE));
        after.advance(Duration.ofHours(1));
        assertEquals(List.of(run), called);
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    @Test
    void aShardThatDoesNotStepAcknowledgesNothing() throws Exception {
        World two = new World(2);
        SteppedNode node = two.node(EngineConfig.of("one"), handlers);
        long number = node.node().control().change(suspend(SYSTEM));
        List<ShardLoop> loops = List.copyOf(node.node().loops());
        ShardLoop living = loops.getFirst();
        ShardLoop zombie = loops.getLast();
        while (living.step()) {}

        List<ShardAcknowledgement> missing = node.node().control().await(number, Duration.ZERO);

        assertEquals(
                List.of(zombie.lease().shard().id()),
                missing.stream().map(ShardAcknowledgement::shard).toList());
        node.settle();
        assertEquals(List.of(), node.node().control().await(number, Duration.ZERO));
    }

    /** Nobody waited for its acknowledgement while its lease had run out. */
    @Test
    void aShardWhoseLeaseHadRunOutReadsBeforeItDecides() {
        SteppedNode node = node("one");
        world.clock.advance(Duration.ofMinutes(1));
        elsewhere(suspend(TYPE));
        assertEquals(List.of(), acknowledged());

        var _ = node.node().keepLeases();
        CompletableFuture<StartAnswer> answer =
                node.node().start(world.publish(held).start());
        node.node().loops().forEach(loop -> {
            while (loop.step()) {
                assertEquals(List.of(), called);
            }
        });
        assertEquals(1, world.history(World.started(answer)).count(ControlEvent.HoldImposed.class));
        assertEquals(List.of(1L), acknowledged());
    }

    @Test
    void whereNothingIsSetARoundAsksNobody() {
        AtomicInteger asked = new AtomicInteger();
        Ports ports = withSettings(counting(world.ports.settings(), asked));
        SteppedNode node = new SteppedNode(
                world.clock, EngineConfig.of("one"), EngineParts.of(ports, new ScriptExpressions(), handlers));
        node.settle();
        int before = asked.get();
        for (int i = 0; i < 10; i++) {
            start(node, held);
        }
        node.settle();

        assertEquals(10, called.size());
        assertEquals(before, asked.get());
    }

    private static Settings counting(Settings settings, AtomicInteger asked) {
        return new Settings() {
            @Override
            public List<ScopeSetting> append(SettingRequest request) throws JournalException {
                asked.incrementAndGet();
                return settings.append(request);
            }

            @Override
            public List<ScopeSetting> after(long number, int limit) throws JournalException {
                asked.incrementAndGet();
                return settings.after(number, limit);
            }

            @Override
            public void acknowledge(dev.flowstone.engine.lease.Lease lease, long number) throws JournalException {
                asked.incrementAndGet();
                settings.acknowledge(lease, number);
            }

            @Override
            public List<ShardAcknowledgement> acknowledgements() throws JournalException {
                asked.incrementAndGet();
                return settings.acknowledgements();
            }
        };
    }

    private Ports withSettings(Settings settings) {
        Ports ports = world.ports;
        return new Ports(
                ports.journal(),
                ports.leases(),
                ports.outbox(),
                ports.inbox(),
                ports.runs(),
                ports.humanTasks(),
                ports.feed(),
                ports.workflows(),
                ports.clock(),
                ports.subjects(),
                ports.transactions(),
                settings,
                ports.policies());
    }
}
