package dev.flowstone.server.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.ownership.Census;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.read.Backlog;
import dev.flowstone.engine.read.DeadRows;
import dev.flowstone.engine.shard.ShardLoad;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.engine.stuck.StuckKind;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.SubscriptionName;
import dev.flowstone.engine.task.TaskLoad;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.config.HealthLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Each item turns bad by itself, and says what to do; the whole is as bad as its worst item. */
final class HealthChecksTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
    private static final List<Shard> SHARDS =
            List.of(new Shard(new ShardId(0), 0, 2_047, 1), new Shard(new ShardId(1), 2_048, 4_095, 2));
    private static final HealthLimits LIMITS = new HealthLimits(
            100,
            Duration.ofMinutes(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(15),
            1_000,
            Duration.ofDays(30),
            10,
            1_024,
            Duration.ofSeconds(1));

    private boolean ready = true;
    private Duration ahead = Duration.ofMillis(20);
    private Duration leaseLeft = Duration.ofSeconds(7);
    private boolean free;
    private boolean away;
    private Backlog backlog = new Backlog(3, 0, Optional.empty(), 1, Optional.empty(), 0, 0, 0, 0, 0);
    private DeadRows dead = new DeadRows(new TreeMap<>(Map.of("runs", 20L)), Optional.of(Duration.ofSeconds(3)));
    private Instant partitions = NOW.plus(Duration.ofDays(62));
    private List<SubscriptionKey> broken = List.of();
    private long connections = 80;
    private long disk = 50L << 30;
    private Map<StuckKind, Long> stuck = Map.of(StuckKind.NO_PROGRESS, 0L);

    private HealthReport report() {
        HealthSources sources = new HealthSources(
                "node-1",
                () -> ready,
                new FixedLeases(),
                Duration.ofSeconds(8),
                this::load,
                Optional.of(_ -> answered(backlog)),
                Optional.of(() -> answered(dead)),
                Optional.of(_ -> answered(partitions)),
                Optional.of(() -> answered(connections)),
                () -> Optional.of(disk),
                _ -> answered(broken),
                () -> stuck);
        return new HealthChecks(sources, LIMITS, () -> NOW).look();
    }

    private <T> T answered(T value) throws JournalException {
        if (away) {
            throw new JournalException.Unavailable("nobody answers");
        }
        return value;
    }

    private NodeLoad load() {
        ShardLoad shard = new ShardLoad(
                new ShardId(0),
                ShardStatus.RUNNING,
                true,
                Map.of(),
                0,
                0,
                100,
                0,
                Map.of(),
                Instant.MAX,
                Duration.ZERO,
                ahead);
        return new NodeLoad(List.of(shard), TaskLoad.idle(4));
    }

    private final class FixedLeases implements Leases {
        @Override
        public List<Shard> shards() {
            return SHARDS;
        }

        @Override
        public Census census() throws JournalException {
            Census.Holding own = new Census.Holding("node-1", 3, leaseLeft);
            Map<ShardId, Census.Holding> holdings = free
                    ? Map.of(new ShardId(0), own)
                    : Map.of(
                            new ShardId(0), own, new ShardId(1), new Census.Holding("node-2", 1, Duration.ofMillis(1)));
            return answered(new Census(List.of(), holdings));
        }

        @Override
        public Optional<Lease> acquire(ShardId shard, String holder, Duration timeToLive) {
            throw new UnsupportedOperationException("health takes nothing");
        }

        @Override
        public Optional<Lease> renew(Lease lease, Duration timeToLive) {
            throw new UnsupportedOperationException("health keeps nothing");
        }

        @Override
        public void release(Lease lease) {
            throw new UnsupportedOperationException("health gives nothing");
        }

        @Override
        public Census announce(Member member, Duration timeToLive) {
            throw new UnsupportedOperationException("health says nothing");
        }

        @Override
        public void leave(String member) {
            throw new UnsupportedOperationException("health goes nowhere");
        }
    }

    private HealthItem item(String name) {
        return report().items().stream()
                .filter(item -> item.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name));
    }

    /** Only this one isn't well, and so the whole isn't. */
    private HealthItem bad(HealthStatus status, String name) {
        HealthReport report = report();
        assertEquals(status, report.status(), report::toString);
        assertEquals(
                List.of(name),
                report.items().stream()
                        .filter(item -> item.status() != HealthStatus.OK)
                        .map(HealthItem::name)
                        .toList());
        HealthItem item = item(name);
        assertEquals(status, item.status());
        assertFalse(item.advice().isBlank());
        return item;
    }

    @Test
    void allIsWell() {
        HealthReport report = report();

        assertEquals(HealthStatus.OK, report.status(), report::toString);
        assertEquals(
                List.of(
                        "ready",
                        "clockOffsetSeconds",
                        "freeDiskMegabytes",
                        "stuckRuns",
                        "shardsWithoutOwner",
                        "ownLeaseSeconds",
                        "outboxPending",
                        "outboxOldestSeconds",
                        "deadLetters",
                        "inboxOldestSeconds",
                        "brokenSubscriptions",
                        "deadRows",
                        "oldestTransactionSeconds",
                        "partitionsAheadDays",
                        "freeConnections",
                        "database"),
                report.items().stream().map(HealthItem::name).toList());
    }

    @Test
    void aNodeThatCannotServe() {
        ready = false;
        bad(HealthStatus.FAIL, "ready");
    }

    @Test
    void subscriptionsThatWaitForSomebody() {
        broken = List.of(new SubscriptionKey(new TenantId("acme"), new SubscriptionName("crm")));

        HealthItem item = bad(HealthStatus.WARN, "brokenSubscriptions");

        assertEquals(1, item.value());
        assertEquals("acme/crm", item.detail());
    }

    @Test
    void clocksThatDriftApart() {
        ahead = Duration.ofMillis(-1_500);
        assertEquals(1.5, bad(HealthStatus.WARN, "clockOffsetSeconds").value());
        ahead = Duration.ofSeconds(11);
        bad(HealthStatus.FAIL, "clockOffsetSeconds");
    }

    @Test
    void aDiskThatFillsUp() {
        disk = 1_000L << 20;
        bad(HealthStatus.WARN, "freeDiskMegabytes");
        disk = 100L << 20;
        bad(HealthStatus.FAIL, "freeDiskMegabytes");
    }

    @Test
    void runsThatStandStill() {
        stuck = Map.of(StuckKind.NO_PROGRESS, 2L, StuckKind.ROWS_DIFFER, 1L, StuckKind.NO_WORKER, 100_000L);
        HealthItem item = bad(HealthStatus.WARN, "stuckRuns");
        assertEquals(3, item.value());
        assertEquals("rows_differ 1, no_progress 2", item.detail());
    }

    @Test
    void shardsThatNobodyHas() {
        free = true;
        assertEquals("1", bad(HealthStatus.FAIL, "shardsWithoutOwner").detail());
    }

    @Test
    void leasesThatHardlyGetRenewed() {
        leaseLeft = Duration.ofMillis(1_900);
        bad(HealthStatus.WARN, "ownLeaseSeconds");
        leaseLeft = Duration.ofMillis(100);
        bad(HealthStatus.FAIL, "ownLeaseSeconds");
    }

    @Test
    void messagesThatDoNotLeave() {
        backlog = new Backlog(101, 0, Optional.empty(), 0, Optional.empty(), 0, 0, 0, 0, 0);
        bad(HealthStatus.WARN, "outboxPending");
        backlog = new Backlog(1, 0, Optional.of(NOW.minusSeconds(301)), 0, Optional.empty(), 0, 0, 0, 0, 0);
        bad(HealthStatus.WARN, "outboxOldestSeconds");
        backlog = new Backlog(1, 0, Optional.of(NOW.minusSeconds(3_001)), 0, Optional.empty(), 0, 0, 0, 0, 0);
        bad(HealthStatus.FAIL, "outboxOldestSeconds");
        backlog = new Backlog(0, 7, Optional.empty(), 0, Optional.empty(), 0, 0, 0, 0, 0);
        bad(HealthStatus.WARN, "deadLetters");
    }

    @Test
    void messagesThatNobodyTakes() {
        backlog = new Backlog(0, 0, Optional.empty(), 1, Optional.of(NOW.minusSeconds(301)), 0, 0, 0, 0, 0);
        bad(HealthStatus.WARN, "inboxOldestSeconds");
    }

    @Test
    void rowsThatStayBehind() {
        dead = new DeadRows(new TreeMap<>(Map.of("runs", 1_001L, "timers", 5L)), Optional.of(Duration.ZERO));
        assertEquals("runs", bad(HealthStatus.WARN, "deadRows").detail());
        dead = new DeadRows(new TreeMap<>(), Optional.of(Duration.ofMinutes(16)));
        bad(HealthStatus.WARN, "oldestTransactionSeconds");
        dead = new DeadRows(new TreeMap<>(), Optional.empty());
        assertEquals(HealthStatus.OK, report().status());
        assertTrue(report().items().stream().noneMatch(item -> item.name().equals("oldestTransactionSeconds")));
    }

    @Test
    void monthsThatAreNotMadeAhead() {
        partitions = NOW.plus(Duration.ofDays(29));
        assertEquals(29, bad(HealthStatus.WARN, "partitionsAheadDays").value());
        partitions = NOW.plus(Duration.ofHours(20));
        bad(HealthStatus.FAIL, "partitionsAheadDays");
        partitions = NOW.minus(Duration.ofDays(28));
        bad(HealthStatus.FAIL, "partitionsAheadDays");
    }

    @Test
    void connectionsThatRunOut() {
        connections = 9;
        bad(HealthStatus.WARN, "freeConnections");
        connections = 0;
        bad(HealthStatus.FAIL, "freeConnections");
    }

    @Test
    void aDatabaseThatDoesNotAnswer() {
        away = true;
        bad(HealthStatus.FAIL, "database");
        assertTrue(report().items().stream().noneMatch(item -> item.name().equals("outboxPending")));
    }
}
