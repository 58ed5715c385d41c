package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.ownership.Census;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.ownership.LeaseKeeper;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Keepers that share shards while one of them can't do its part. */
final class ShareStoryTest {
    private static final Duration MOMENT = Duration.ofMillis(200);

    private final VirtualClock clock = VirtualClock.start();
    private final InMemoryDatabase database = new InMemoryDatabase(clock, 4);
    private final Node one = new Node("one");
    private final Node two = new Node("two");

    private void pass(Duration time) {
        for (Duration gone = Duration.ZERO; gone.compareTo(time) < 0; gone = gone.plus(MOMENT)) {
            clock.advance(MOMENT);
            one.step();
            two.step();
        }
    }

    @Test
    void whatNobodyTakesGoesBackAndStays() {
        one.step();
        assertEquals(4, one.has.size());
        two.takes = false;

        pass(Duration.ofSeconds(11));
        assertEquals(4, one.has.size(), "it has taken back what it gave");
        assertEquals(2, one.given);
        pass(Duration.ofSeconds(60));

        assertEquals(2, one.given, "and has kept it");
        two.takes = true;
        pass(Duration.ofSeconds(30));
        assertEquals(2, two.has.size(), "until the other can");
        assertEquals(4, one.given);
    }

    /** It says that it is there, and holds what it doesn't renew. */
    @Test
    void aShardThatHangsIsWithAnotherSoonAfterItsLeaseIsOver() {
        one.step();
        pass(Duration.ofSeconds(6));
        assertEquals(List.of(2, 2), List.of(one.has.size(), two.has.size()));
        ShardId stuck = two.has.iterator().next();
        two.hanging.add(stuck);

        pass(Duration.ofSeconds(17));

        assertTrue(one.has.contains(stuck), one.has::toString);
        assertEquals(3, one.has.size());
        assertEquals(2, one.given, "no other moves for that");
    }

    @Test
    void whoCannotSeeTheOthersGivesNothingAwayAndKeepsWhatItHas() {
        assertTrue(one.keeper.reaches(), "nothing has failed before the first look");
        one.step();
        assertTrue(one.keeper.reaches());
        one.sees = false;
        pass(Duration.ofSeconds(30));
        assertFalse(one.keeper.reaches());

        assertEquals(List.of(4, 0), List.of(one.has.size(), two.has.size()));
        one.sees = true;
        pass(Duration.ofSeconds(6));
        assertEquals(List.of(2, 2), List.of(one.has.size(), two.has.size()));
        assertTrue(one.keeper.reaches());
    }

    @Test
    void aShardWhoseReleaseFailsMovesAllTheSame() {
        one.step();
        one.releases = false;
        pass(Duration.ofSeconds(4));
        one.releases = true;
        pass(Duration.ofSeconds(20));

        assertEquals(List.of(2, 2), List.of(one.has.size(), two.has.size()));
    }

    /** A keeper and its shards, on leases that fail when they are told to. */
    private final class Node implements LeaseKeeper.Owner, Leases {
        final Set<ShardId> has = new HashSet<>();
        final Set<ShardId> hanging = new HashSet<>();
        private final Set<ShardId> going = new HashSet<>();
        private final Leases real;
        private final LeaseKeeper keeper;
        private Instant next = Instant.MIN;
        boolean takes = true;
        boolean sees = true;
        boolean releases = true;
        int given;

        Node(String name) {
            Ports ports = database.ports();
            this.real = ports.leases();
            this.keeper = new LeaseKeeper(this, LeaseConfig.DEFAULT, new Member(name, name, ""), clock, this);
        }

        void step() {
            for (ShardId shard : List.copyOf(going)) {
                going.remove(shard);
                has.remove(shard);
                given++;
                keeper.give(shard);
                next = Instant.MIN;
            }
            if (!clock.now().isBefore(next)) {
                next = keeper.step();
            }
        }

        @Override
        public void gained(Lease lease, Instant until) {
            has.add(lease.shard().id());
        }

        @Override
        public void extended(ShardId shard, Instant until) {
            // It goes on.
        }

        @Override
        public void lost(ShardId shard) {
            has.remove(shard);
        }

        @Override
        public void handOver(ShardId shard) {
            going.add(shard);
        }

        @Override
        public boolean hangs(ShardId shard) {
            return hanging.contains(shard);
        }

        @Override
        public List<Shard> shards() {
            return real.shards();
        }

        @Override
        public Optional<Lease> acquire(ShardId shard, String holder, Duration timeToLive) throws JournalException {
            return takes ? real.acquire(shard, holder, timeToLive) : Optional.empty();
        }

        @Override
        public Optional<Lease> renew(Lease lease, Duration timeToLive) throws JournalException {
            return real.renew(lease, timeToLive);
        }

        @Override
        public void release(Lease lease) throws JournalException {
            if (!releases) {
                throw new JournalException.Unavailable("away");
            }
            real.release(lease);
        }

        @Override
        public Census announce(Member member, Duration timeToLive) throws JournalException {
            if (!sees) {
                throw new JournalException.Unavailable("away");
            }
            return real.announce(member, timeToLive);
        }

        @Override
        public Census census() throws JournalException {
            return real.census();
        }

        @Override
        public void leave(String member) throws JournalException {
            real.leave(member);
        }
    }
}
