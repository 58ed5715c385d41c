package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.ownership.Census;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.kernel.id.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every implementation of leases must do. */
public abstract class LeasesConformance extends PortsConformance {
    private static final Duration SHORT = Duration.ofMillis(30);

    private Leases leases() {
        return ports().leases();
    }

    @Test
    void shardsCoverEverySlotOnceAndHaveTheirOwnStreams() {
        int next = 0;
        Set<Integer> streams = new HashSet<>();
        for (Shard shard : leases().shards()) {
            assertEquals(next, shard.firstSlot());
            assertTrue(shard.lastSlot() >= shard.firstSlot());
            assertTrue(streams.add(shard.stream()));
            next = shard.lastSlot() + 1;
        }
        assertEquals(Slot.COUNT, next);
    }

    @Test
    void aShardHasOneHolder() throws JournalException {
        ShardId shard = shard(0).id();

        Optional<Lease> first = leases().acquire(shard, "a", TTL);
        Optional<Lease> second = leases().acquire(shard, "b", TTL);

        assertEquals("a", first.orElseThrow().holder());
        assertEquals(shard, first.orElseThrow().shard().id());
        assertEquals(Optional.empty(), second);
        assertTrue(leases().acquire(shard(1).id(), "b", TTL).isPresent());
    }

    @Test
    void theSameHolderTakingItAgainIsATakeover() throws JournalException {
        ShardId shard = shard(0).id();
        Lease before = leases().acquire(shard, "a", TTL).orElseThrow();
        Lease after = leases().acquire(shard, "a", TTL).orElseThrow();

        assertEquals(before.epoch() + 1, after.epoch());
        assertEquals(Optional.empty(), leases().renew(before, TTL));
        assertTrue(leases().renew(after, TTL).isPresent());
    }

    @Test
    void anExpiredLeaseIsTakenOverUnderTheNextEpoch() throws Exception {
        ShardId shard = shard(0).id();
        Lease lost = leases().acquire(shard, "a", SHORT).orElseThrow();
        List<Lease> taken = new ArrayList<>();

        eventually("the lease has run out", () -> {
            leases().acquire(shard, "b", TTL).ifPresent(taken::add);
            return !taken.isEmpty();
        });

        assertEquals(lost.epoch() + 1, taken.getFirst().epoch());
        assertEquals(Optional.empty(), leases().renew(lost, TTL));
        assertEquals(Optional.empty(), leases().acquire(shard, "a", TTL));
    }

    @Test
    void renewalKeepsTheEpochAndMovesTheEnd() throws JournalException {
        Lease lease = leases().acquire(shard(0).id(), "a", TTL).orElseThrow();

        Lease renewed = leases().renew(lease, TTL.multipliedBy(10)).orElseThrow();

        assertEquals(lease.epoch(), renewed.epoch());
        assertTrue(renewed.until().isAfter(lease.until()));
        assertEquals(lease.shard(), renewed.shard());
    }

    @Test
    void aRenewedLeaseOutlivesItsFirstEnd() throws JournalException {
        ShardId shard = shard(0).id();
        Lease lease = leases().acquire(shard, "a", SHORT).orElseThrow();
        assertTrue(leases().renew(lease, TTL).isPresent());
        pass(SHORT.multipliedBy(2));

        assertEquals(Optional.empty(), leases().acquire(shard, "b", TTL));
    }

    @Test
    void whatIsReleasedIsFreeAtOnce() throws JournalException {
        ShardId shard = shard(0).id();
        Lease lease = leases().acquire(shard, "a", TTL).orElseThrow();

        leases().release(lease);

        assertEquals(Optional.empty(), leases().renew(lease, TTL));
        Lease next = leases().acquire(shard, "b", TTL).orElseThrow();
        assertTrue(next.epoch() > lease.epoch());
    }

    @Test
    void aStaleHolderCannotReleaseTheNewOne() throws JournalException {
        ShardId shard = shard(0).id();
        Lease stale = leases().acquire(shard, "a", TTL).orElseThrow();
        Lease current = leases().acquire(shard, "a", TTL).orElseThrow();

        leases().release(stale);

        assertEquals(Optional.empty(), leases().acquire(shard, "b", TTL));
        assertTrue(leases().renew(current, TTL).isPresent());
    }

    @Test
    void ofManyThatReachForAFreeShardOneGetsIt() throws Exception {
        ShardId shard = shard(0).id();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Optional<Lease>>> tries = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String holder = "node-" + i;
                tries.add(() -> leases().acquire(shard, holder, TTL));
            }
            int got = 0;
            for (Future<Optional<Lease>> done : threads.invokeAll(tries)) {
                got += done.get().isPresent() ? 1 : 0;
            }
            assertEquals(1, got);
        }
        assertFalse(leases().acquire(shard, "latecomer", TTL).isPresent());
    }

    private static Member member(String name) {
        return new Member(name, name + ":7070", "0.1.0");
    }

    private static List<String> names(Census census) {
        return census.present().stream().map(present -> present.member().name()).toList();
    }

    @Test
    void whoAnnouncesItselfSeesAllThatAreThere() throws JournalException {
        assertEquals(Census.EMPTY, leases().census());

        assertEquals(List.of("b"), names(leases().announce(member("b"), TTL)));
        Census both = leases().announce(member("a"), TTL);

        assertEquals(List.of("a", "b"), names(both));
        assertEquals(member("b"), both.present().getLast().member());
        assertTrue(both.present().stream()
                .allMatch(
                        present -> present.left().isPositive() && present.left().compareTo(TTL) <= 0));
        assertEquals(names(both), names(leases().census()));
    }

    @Test
    void whoSaysItAgainIsThereSinceItsFirstTimeAndWithItsNewAddress() throws JournalException {
        Instant since = leases().announce(member("a"), TTL).present().getFirst().since();
        pass(SHORT);

        Census.Present again = leases().announce(new Member("a", "elsewhere:1", "0.2.0"), TTL.multipliedBy(10))
                .present()
                .getFirst();

        assertEquals(since, again.since());
        assertEquals(new Member("a", "elsewhere:1", "0.2.0"), again.member());
        assertTrue(again.left().compareTo(TTL) > 0);
    }

    @Test
    void whoIsSilentForItsTimeIsGoneAndComesBackAnew() throws Exception {
        Instant since =
                leases().announce(member("a"), SHORT).present().getFirst().since();
        eventually("a's word has run out", () -> leases().census().present().isEmpty());

        assertTrue(
                leases().announce(member("a"), TTL).present().getFirst().since().isAfter(since));
    }

    @Test
    void whoLeavesIsGoneAtOnceAndNobodyElse() throws JournalException {
        leases().announce(member("a"), TTL);
        leases().announce(member("b"), TTL);

        leases().leave("a");
        leases().leave("never was");

        assertEquals(List.of("b"), names(leases().census()));
    }

    @Test
    void theCensusTellsWhoHoldsWhatAndWhatIsFree() throws Exception {
        Lease held = leases().acquire(shard(0).id(), "a", TTL).orElseThrow();
        Lease released = leases().acquire(shard(1).id(), "b", TTL).orElseThrow();
        leases().release(released);

        Census census = leases().census();

        assertEquals(Set.of(shard(0).id()), census.holdings().keySet());
        Census.Holding holding = census.holdings().values().iterator().next();
        assertEquals("a", holding.holder());
        assertEquals(held.epoch(), holding.epoch());
        assertTrue(holding.left().isPositive() && holding.left().compareTo(TTL) <= 0);
        assertTrue(leases().acquire(shard(1).id(), "b", SHORT).isPresent());
        eventually("b's lease has run out", () -> leases().census().holdings().size() == 1);
    }

    @Test
    void manyThatAnnounceThemselvesAtOnceAreAllThere() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Census>> all = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                String name = "node-" + i % 6;
                all.add(() -> leases().announce(member(name), TTL));
            }
            for (Future<Census> done : threads.invokeAll(all)) {
                assertFalse(done.get().present().isEmpty());
            }
        }
        assertEquals(6, leases().census().present().size());
    }
}
