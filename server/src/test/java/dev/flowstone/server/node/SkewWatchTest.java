package dev.flowstone.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.node.Skew;
import dev.flowstone.engine.shard.ShardLoad;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.engine.task.TaskLoad;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who has most, how long the first waits, and that the log is told once. */
final class SkewWatchTest {
    private final VirtualClock clock = VirtualClock.start();
    private final List<String> warnings = new ArrayList<>();
    private final List<ShardLoad> shards = new ArrayList<>();
    private Map<HandlerName, TaskLoad.Lane> lanes = Map.of();

    private NodeLoad load() {
        return new NodeLoad(shards, new TaskLoad(10, lanes, Map.of(), Map.of(), Map.of()));
    }

    private SkewWatch watch() {
        FlowstoneConfig.Bearable bearable = new FlowstoneConfig.Bearable(Duration.ofSeconds(30), Duration.ofSeconds(1));
        return new SkewWatch(this::load, clock, bearable, warnings::add);
    }

    private static ShardLoad shard(
            int number, int starts, Map<TenantId, Integer> tenants, Instant since, Duration late, Duration ahead) {
        return new ShardLoad(
                new ShardId(number),
                ShardStatus.RUNNING,
                true,
                Map.of(new WorkflowId("w"), starts),
                0,
                0,
                1_000,
                0,
                tenants,
                since,
                late,
                ahead);
    }

    private static ShardLoad idle(int number) {
        return shard(number, 0, Map.of(), Instant.MAX, Duration.ZERO, Duration.ZERO);
    }

    @Test
    void theBusiestIsNamedWithItsShareOverTheMean() {
        Map<TenantId, Integer> tenants = Map.of(new TenantId("acme"), 8, new TenantId("globex"), 2);
        shards.add(shard(0, 10, tenants, clock.now().minusSeconds(5), Duration.ofSeconds(3), Duration.ZERO));
        shards.add(idle(1));
        lanes = Map.of(
                new HandlerName("a.slow"),
                        new TaskLoad.Lane(1, 9, 1, clock.now().minusSeconds(40)),
                new HandlerName("a.quick"), new TaskLoad.Lane(0, 0, 10, Instant.MAX),
                new HandlerName("b"), new TaskLoad.Lane(0, 0, 10, Instant.MAX));

        assertEquals(
                List.of(
                        new Skew(Skew.Of.SHARD, "0", 10, 5, Duration.ofSeconds(5)),
                        new Skew(Skew.Of.TENANT, "acme", 8, 5, Duration.ofSeconds(5)),
                        new Skew(Skew.Of.QUEUE, "a.slow", 9, 3, Duration.ofSeconds(40)),
                        new Skew(Skew.Of.TIMERS, "0", 3, 1.5, Duration.ofSeconds(3))),
                Skew.of(load(), clock.now()));
        assertEquals(3, Skew.of(load(), clock.now()).get(2).share());
    }

    @Test
    void whereNothingWaitsAllAreAlike() {
        shards.add(idle(0));

        for (Skew skew : Skew.of(load(), clock.now())) {
            assertEquals(1, skew.share());
            assertEquals(Duration.ZERO, skew.oldest());
        }
    }

    @Test
    void whatWaitsTooLongIsSaidOnceAndWhenItIsOver() {
        shards.add(idle(0));
        lanes = Map.of(new HandlerName("a.slow"), new TaskLoad.Lane(1, 9, 1, clock.now()));
        SkewWatch watch = watch();
        watch.lookOnce();
        assertEquals(List.of(), warnings);

        clock.advance(Duration.ofSeconds(31));
        watch.lookOnce();
        watch.lookOnce();
        assertEquals(1, warnings.size());
        assertTrue(warnings.getFirst().contains("a.slow"), warnings::toString);

        lanes = Map.of();
        watch.lookOnce();
        watch.lookOnce();
        assertEquals(2, warnings.size());
    }

    @Test
    void aClockThatDriftsIsSaidOnceAndWhenItIsRight() {
        shards.add(idle(0));
        SkewWatch watch = watch();
        shards.set(0, shard(0, 0, Map.of(), Instant.MAX, Duration.ZERO, Duration.ofSeconds(-2)));
        watch.lookOnce();
        watch.lookOnce();
        assertEquals(1, warnings.size());
        assertTrue(warnings.getFirst().contains("behind"), warnings::toString);

        shards.set(0, idle(0));
        watch.lookOnce();
        assertEquals(2, warnings.size());
    }
}
