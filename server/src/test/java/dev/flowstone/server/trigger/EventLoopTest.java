package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.EventTriggers;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.execution.Logs;
import dev.flowstone.triggers.event.EventChain;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The loop, on a feed and triggers that a test writes. */
final class EventLoopTest {
    private static final int STREAM = 3;
    private static final Lease LEASE = new Lease(new Shard(new ShardId(0), 0, 4_095, STREAM), "node", 1, Instant.MAX);

    private final House house = new House();
    private final EventLoop loop = new EventLoop(
            new EventLoop.Parts(house, new RunHistory(house.logs), house, house), () -> List.of(LEASE), true);

    private static final class House implements Feed, EventTriggers, OwnEvents {
        private final Logs logs = new Logs();
        private final List<FeedRow> rows = new CopyOnWriteArrayList<>();
        private final List<Listening> triggers = new CopyOnWriteArrayList<>();
        private final List<String> taken = new CopyOnWriteArrayList<>();
        private final AtomicInteger looks = new AtomicInteger();
        private final Semaphore goOn = new Semaphore(0);
        private volatile boolean isBroken;

        /** An event of a run of its own; its id. */
        String happens() {
            int row = rows.size() + 1;
            logs.add(Logs.run(row), Logs.other());
            rows.add(new FeedRow(STREAM, row, List.of(new Moved(new RunKey(Logs.TENANT, Logs.run(row)), 1, 1))));
            return Logs.run(row) + "/1";
        }

        @Override
        public List<Listening> listening() {
            looks.incrementAndGet();
            if (isBroken) {
                throw new NoClassDefFoundError("as after an update beneath it");
            }
            return List.copyOf(triggers);
        }

        @Override
        public List<Listening> listening(TenantId tenant) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<Integer, FeedPlace> places(Collection<Integer> streams) {
            return Map.of();
        }

        @Override
        public void advance(Lease lease, FeedPlace place) {}

        @Override
        public List<FeedRow> read(int stream, long after, int limit) {
            return rows.stream().filter(it -> it.number() > after).limit(limit).toList();
        }

        @Override
        public Map<Integer, Long> last(Collection<Integer> streams) {
            return Map.of(STREAM, (long) rows.size());
        }

        @Override
        public Map<Integer, Long> first(Collection<Integer> streams) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Arrival arrival(Trigger trigger, String delivery) {
            return Arrival.ofEvent(trigger.key(), delivery, Instant.EPOCH);
        }

        @Override
        public Result takeOwn(Trigger trigger, Arrival arrival, JsonObject event, EventChain chain) {
            taken.add(arrival.delivery());
            goOn.acquireUninterruptibly();
            return Result.ignored("as the test says");
        }

        @Override
        public boolean keepOwn(Arrival arrival, JsonObject event, EventChain chain, Throwable why) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean keepsNothing() {
            return false;
        }

        @Override
        public void end() {}
    }

    private static void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    private void untilItHasLooked(int times) {
        int before = house.looks.get();
        until("it looks", () -> house.looks.get() >= before + times);
    }

    @Test
    void whateverBreaksEndsNothing() {
        house.isBroken = true;
        house.triggers.add(new EventTriggers.Listening(SomeTriggers.trigger(), Map.of()));
        house.goOn.release(1_000);
        try (loop) {
            loop.begin();
            loop.begin();
            untilItHasLooked(2);
            house.isBroken = false;
            String event = house.happens();
            until("it is taken", () -> house.taken.equals(List.of(event)));
        }
    }

    /** Two who follow one stream would take each event twice, and only one of them would be waited for. */
    @Test
    void whoIsAtWorkWhileThereAreNoTriggersIsMetAgain() {
        EventTriggers.Listening listening = new EventTriggers.Listening(SomeTriggers.trigger(), Map.of());
        house.triggers.add(listening);
        String first = house.happens();
        try (loop) {
            loop.begin();
            until("it is taken", () -> house.taken.equals(List.of(first)));
            house.triggers.clear();
            untilItHasLooked(2);
            house.triggers.add(listening);
            untilItHasLooked(3);
            assertEquals(List.of(first), house.taken, "by nobody else");
            String second = house.happens();
            house.goOn.release(1_000);
            until("the next one is taken", () -> house.taken.equals(List.of(first, second)));
            loop.end();
            loop.await(Duration.ofMinutes(1));
        }
    }

    @Test
    void whatNeverBeganIsNotWaitedFor() {
        house.triggers.add(new EventTriggers.Listening(SomeTriggers.trigger(), Map.of()));
        loop.end();
        loop.await(Duration.ofMinutes(1));
        loop.begin();
        loop.close();
        assertEquals(0, house.looks.get());
    }
}
