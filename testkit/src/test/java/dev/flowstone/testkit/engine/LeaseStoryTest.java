package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineNode;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.ownership.Census;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.ownership.LeaseKeeper;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How leases are kept while the database can't be asked, or answers what nobody wants to hear. */
final class LeaseStoryTest {
    private final VirtualClock clock = VirtualClock.start();
    private final Faulty leases =
            new Faulty(new InMemoryDatabase(clock, 1).ports().leases());
    private final List<String> heard = new ArrayList<>();
    private final LeaseKeeper keeper = new LeaseKeeper(leases, LeaseConfig.DEFAULT, "one", clock, new Hearing());

    private void stepAfter(Duration time) {
        clock.advance(time);
        keeper.step();
    }

    @Test
    void aLeaseThatCannotBeRenewedIsTriedAgainSoonAndKept() {
        keeper.step();
        for (JournalException failure : List.of(
                new JournalException.Unavailable("away"),
                new JournalException.UnknownOutcome("perhaps"),
                new JournalException.BadData("odd"))) {
            leases.failure = failure;
            stepAfter(Duration.ofSeconds(5));
            leases.failure = null;
            stepAfter(Duration.ofSeconds(1));
        }

        assertEquals(List.of("gained 1", "extended", "extended", "extended"), heard);
    }

    @Test
    void aLeaseThatSomebodyElseHasIsLostHoweverThatIsSaid() {
        keeper.step();
        leases.failure = new JournalException.StaleEpoch("epoch 2");
        stepAfter(Duration.ofSeconds(5));
        leases.failure = null;
        stepAfter(Duration.ofSeconds(1));

        assertEquals(List.of("gained 1", "lost", "gained 2"), heard);
    }

    @Test
    void anAcquisitionThatFailedIsRepeated() {
        leases.failure = new JournalException.Unavailable("away");
        keeper.step();
        leases.failure = null;
        stepAfter(Duration.ofSeconds(1));

        assertEquals(List.of("gained 1"), heard);
    }

    /** Else the shard would be held, and renewed, for ever, and nobody would work on it. */
    @Test
    void aShardForWhichNoLoopCouldBeMadeIsAcquiredAgain() {
        LeaseKeeper clumsy = new LeaseKeeper(leases, LeaseConfig.DEFAULT, "one", clock, new Hearing() {
            @Override
            public void gained(Lease lease, Instant until) {
                super.gained(lease, until);
                if (lease.epoch() == 1) {
                    throw new IllegalStateException("no thread");
                }
            }
        });
        clumsy.step();
        clock.advance(Duration.ofSeconds(1));
        clumsy.step();

        assertEquals(List.of("gained 1", "gained 2"), heard);
    }

    /** Each of them takes a moment, because something of its old owner's is under way; all of them, longer than a lease. */
    @Test
    void manyShardsThatAreHardToGetCostNoneOfThoseThatAreHeld() {
        InMemoryDatabase many = new InMemoryDatabase(clock, 64);
        Faulty hard = new Faulty(many.ports().leases());
        LeaseKeeper patient = new LeaseKeeper(hard, LeaseConfig.DEFAULT, "one", clock, new Hearing());
        ShardId last = hard.shards().getLast().id();
        hard.unavailable = shard -> !shard.equals(last);
        patient.step();
        assertEquals(List.of("gained 1"), heard);
        hard.meanwhile = () -> clock.advance(Duration.ofMillis(250));

        for (int i = 0; i < 10; i++) {
            clock.advance(Duration.ofSeconds(1));
            patient.step();
        }

        assertTrue(hard.longest.compareTo(Duration.ofSeconds(6)) < 0, hard.longest::toString);
        assertEquals(List.of("gained 1", "extended"), heard.stream().distinct().toList());
    }

    /** One thread acquires a shard while another stops the node. */
    @Test
    void aShardThatIsWonWhileItsNodeStopsIsNotWorkedOn() {
        World world = new World();
        Ports real = world.ports;
        Faulty slow = new Faulty(real.leases());
        Ports ports = new Ports(
                real.journal(),
                slow,
                real.outbox(),
                real.inbox(),
                real.runs(),
                real.humanTasks(),
                real.feed(),
                real.workflows(),
                real.clock());
        EngineNode node = new EngineNode(
                EngineConfig.of("one"), EngineParts.of(ports, new ScriptExpressions(), BuiltInActions.registry()));
        slow.meanwhile = node::beginStop;
        var _ = node.keepLeases();

        assertEquals(
                List.of(ShardStatus.ENDED),
                node.loops().stream().map(ShardLoop::status).toList());
        node.release();
        assertTrue(world.node("two").node().ready(), "and given back");
    }

    private class Hearing implements LeaseKeeper.Owner {
        @Override
        public void gained(Lease lease, Instant until) {
            heard.add("gained " + lease.epoch());
        }

        @Override
        public void extended(ShardId shard, Instant until) {
            heard.add("extended");
        }

        @Override
        public void lost(ShardId shard) {
            heard.add("lost");
        }
    }

    /** Leases that fail while a failure is set. */
    private static final class Faulty implements Leases {
        private final Leases real;

        @Nullable
        JournalException failure;

        /** Happens once a shard is acquired, before anybody hears of it. */
        Runnable meanwhile = () -> {};

        /** Shards that can't be had. */
        Predicate<ShardId> unavailable = _ -> false;

        /** The longest time between two renewals. */
        Duration longest = Duration.ZERO;

        private @Nullable Instant renewed;

        Faulty(Leases real) {
            this.real = real;
        }

        private Leases reach() throws JournalException {
            if (failure != null) {
                throw failure;
            }
            return real;
        }

        @Override
        public List<Shard> shards() {
            return real.shards();
        }

        @Override
        public Optional<Lease> acquire(ShardId shard, String holder, Duration timeToLive) throws JournalException {
            Optional<Lease> lease =
                    unavailable.test(shard) ? Optional.empty() : reach().acquire(shard, holder, timeToLive);
            meanwhile.run();
            return lease;
        }

        @Override
        public Optional<Lease> renew(Lease lease, Duration timeToLive) throws JournalException {
            Optional<Lease> longer = reach().renew(lease, timeToLive);
            Instant now = longer.map(Lease::until).orElse(lease.until()).minus(timeToLive);
            Duration since = Duration.between(renewed == null ? now : renewed, now);
            longest = since.compareTo(longest) > 0 ? since : longest;
            renewed = now;
            return longer;
        }

        @Override
        public void release(Lease lease) throws JournalException {
            reach().release(lease);
        }

        @Override
        public Census announce(Member member, Duration timeToLive) throws JournalException {
            return reach().announce(member, timeToLive);
        }

        @Override
        public Census census() throws JournalException {
            return reach().census();
        }

        @Override
        public void leave(String member) throws JournalException {
            reach().leave(member);
        }
    }
}
