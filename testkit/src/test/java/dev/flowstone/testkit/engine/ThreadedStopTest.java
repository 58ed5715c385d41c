package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.JournalException.Unavailable;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.ownership.Census;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.testkit.memory.FaultyJournal;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** How an engine with threads stops, in real time, while its database answers and while it doesn't. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT) // each waits all of its time
final class ThreadedStopTest {
    private final InMemoryDatabase database = new InMemoryDatabase(Clock.SYSTEM, 2);
    private final FaultyJournal journal = new FaultyJournal(database.ports().journal());
    private final WaitingLeases leases = new WaitingLeases(database.ports().leases());
    private final CountDownLatch never = new CountDownLatch(1);

    private FlowstoneEngine engine() {
        FlowstoneEngine engine = FlowstoneEngine.start(
                EngineConfig.of("one"), EngineParts.of(ports(), new ScriptExpressions(), BuiltInActions.registry()));
        until(engine::ready);
        return engine;
    }

    private Ports ports() {
        Ports real = database.ports();
        return new Ports(
                journal,
                leases,
                real.outbox(),
                real.inbox(),
                real.runs(),
                real.humanTasks(),
                real.feed(),
                real.workflows(),
                real.clock(),
                real.subjects(),
                real.transactions(),
                real.settings(),
                real.policies());
    }

    private static void until(BooleanSupplier holds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!holds.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "it never came true");
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** As a pool does whose database is away: only an interrupt ends it. */
    private void waits() throws Unavailable {
        try {
            never.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted while it waited for a connection");
        }
    }

    /** A start that isn't committed. */
    private void leavesOpen(FlowstoneEngine engine, FaultyJournal.Fault fault) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        journal.on((commit, to) -> {
            begun.countDown();
            return fault.commit(commit, to);
        });
        Published work = Published.in(
                database.ports().workflows(),
                World.TENANT,
                ProgramBuilder.sequence("one", 1, "core.echo"),
                Clock.SYSTEM.now());
        CompletableFuture<StartAnswer> _ = engine.start(work.start());
        begun.await();
    }

    /** Commits, what others do, and leases have one time: together they took three times as long. */
    @Test
    void allThatWaitsForADatabaseThatIsAwayHasOneTime() throws Exception {
        FlowstoneEngine engine = engine();
        leavesOpen(engine, (commit, to) -> {
            waits();
            return to.commit(commit);
        });
        leases.away = true;
        List<Duration> left = new ArrayList<>();

        engine.stop(Duration.ZERO, left::add);

        assertEquals(List.of(Duration.ZERO), left, "the last commit took it all");
        assertTrue(leases.asked.get() <= 1, () -> leases.asked + " were asked for");
    }

    @Test
    void whoWaitsForAConnectionInVainIsInterrupted() throws Exception {
        FlowstoneEngine engine = engine();
        leases.away = true;

        engine.stop(Duration.ZERO);

        until(() -> leases.interrupted.get() == 1);
        assertEquals(1, leases.asked.get(), "the other isn't asked for");
    }

    @Test
    void aDatabaseThatAnsweredNobodyIsNotAskedForLeases() throws Exception {
        FlowstoneEngine engine = engine();
        leases.refused = true;
        until(() -> !engine.reachesDatabase());
        leavesOpen(engine, (commit, to) -> {
            throw new Unavailable("away");
        });

        engine.stop(Duration.ZERO);

        assertEquals(0, leases.asked.get());
    }

    /** Others needn't wait for them because one shard's commits are held up. */
    @Test
    void leasesGoBackThoughAShardCannotCommit() throws Exception {
        FlowstoneEngine engine = engine();
        leavesOpen(engine, (commit, to) -> {
            throw new Unavailable("no room left");
        });

        engine.stop(Duration.ZERO);

        assertEquals(2, leases.released.get());
    }

    @Test
    void leasesGoBackAtOnceAndAfterWhatOthersDo() {
        FlowstoneEngine engine = engine();
        List<Integer> released = new ArrayList<>();

        // Were the grace waited for, the test would be over before it.
        engine.stop(Duration.ofMinutes(10), left -> {
            released.add(leases.asked.get());
            assertFalse(left.isZero());
        });

        assertEquals(List.of(0), released, "others still need them");
        assertEquals(2, leases.released.get());
    }

    /** Else another node would wait for them to run out because of, say, a broker that doesn't answer. */
    @Test
    void leasesGoBackThoughOthersTookAllTheTime() {
        FlowstoneEngine engine = engine();

        engine.stop(Duration.ZERO, left -> {
            long end = System.nanoTime() + left.toNanos();
            until(() -> System.nanoTime() > end);
        });

        assertEquals(2, leases.released.get());
    }

    /** Leases that may wait for a connection. */
    private final class WaitingLeases implements Leases {
        private final Leases real;
        final AtomicInteger asked = new AtomicInteger();
        final AtomicInteger released = new AtomicInteger();
        final AtomicInteger interrupted = new AtomicInteger();
        volatile boolean away;
        volatile boolean refused;

        WaitingLeases(Leases real) {
            this.real = real;
        }

        @Override
        public List<Shard> shards() {
            return real.shards();
        }

        @Override
        public Optional<Lease> acquire(ShardId shard, String holder, Duration timeToLive) throws JournalException {
            return real.acquire(shard, holder, timeToLive);
        }

        @Override
        public Optional<Lease> renew(Lease lease, Duration timeToLive) throws JournalException {
            if (refused) {
                throw new Unavailable("refused");
            }
            if (away) {
                waits();
            }
            return real.renew(lease, timeToLive);
        }

        @Override
        public void release(Lease lease) throws JournalException {
            asked.incrementAndGet();
            if (away) {
                try {
                    waits();
                } catch (Unavailable e) {
                    interrupted.incrementAndGet();
                    throw e;
                }
            }
            real.release(lease);
            released.incrementAndGet();
        }

        @Override
        public Census announce(Member member, Duration timeToLive) throws JournalException {
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
