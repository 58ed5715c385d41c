package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.metric.Meters;
import dev.flowstone.server.metric.TriggerMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who gets a place to be started in, and that each becomes free. */
final class OpenTicksTest {
    private static final Instant NOW = FakeSchedules.NOW;
    private static final Lease LOWER = lease(0, 0, 2_047);
    private static final Lease UPPER = lease(1, 2_048, 4_095);
    private static final List<Lease> BOTH = List.of(LOWER, UPPER);

    private final FakeSchedules store = new FakeSchedules();
    private final Starter starter = new Starter();
    private final TriggerMetrics metrics = new TriggerMetrics();
    private final OpenTicks ticks =
            new OpenTicks(store, new TickAttempt(starter, new RulesCache()), Clock.SYSTEM, metrics, () -> {});

    @AfterEach
    void end() {
        starter.gate.countDown();
        ticks.await(Duration.ofSeconds(20));
    }

    private static Lease lease(int shard, int first, int last) {
        return new Lease(new Shard(new ShardId(shard), first, last, shard), "node", 1, Instant.MAX);
    }

    /** Those of one tenant, or of the lower shard, stand still until the gate is open. */
    private static final class Starter implements TickStarter {
        private final CountDownLatch gate = new CountDownLatch(1);
        private final AtomicInteger standing = new AtomicInteger();
        private volatile boolean isOverQuota;
        private volatile boolean breaks;

        @Override
        public Launched launch(Trigger trigger, Arrival arrival, JsonValue payload) {
            if (breaks) {
                throw new StackOverflowError();
            }
            if (trigger.key().tenant().value().equals("stalled")) {
                standing.incrementAndGet();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return isOverQuota
                    ? new Launched.Asked(
                            "r", new Starts.Outcome.Answered(new StartAnswer.OverQuota("much", Duration.ofSeconds(60))))
                    : new Launched.Ignored("no");
        }

        @Override
        public Optional<Launched> before(Trigger trigger, Arrival arrival) {
            return Optional.empty();
        }
    }

    private void add(String tenant, int slot, int count) {
        for (int i = 0; i < count; i++) {
            store.open.add(OpenTickExamples.tick(tenant, slot, NOW, Optional.empty()));
        }
    }

    private static void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    @Test
    void aShardThatStandsStillLeavesPlacesToOthers() throws Exception {
        add("stalled", 0, 2 * OpenTicks.MOST);
        add("acme", 4_000, 10);

        assertTrue(ticks.take(BOTH, NOW), "there is more");

        until("the other shard's are settled", () -> store.settled.size() == 10);
        until("half stand still", () -> starter.standing.get() == OpenTicks.MOST / 2);
    }

    @Test
    void aTenantThatStandsStillLeavesPlacesToOthersOfItsShard() throws Exception {
        add("stalled", 0, 40);
        add("stalled", 4_000, 2 * OpenTicks.MOST);
        add("acme", 0, 10);

        assertTrue(ticks.take(BOTH, NOW));

        until("the other tenant's are settled", () -> store.settled.size() == 10);
    }

    @Test
    void allAreBegunIfThereIsRoom() throws Exception {
        add("acme", 0, 100);
        assertEquals(false, ticks.take(BOTH, NOW));
        until("all are settled", () -> store.settled.size() == 100);
    }

    /** Whatever breaks: else it would be under way for ever. */
    @Test
    void aPlaceBecomesFreeWhateverHappens() throws Exception {
        add("acme", 0, 1);
        starter.breaks = true;
        ticks.take(BOTH, NOW);
        until("it is tried again", () -> store.deferred.size() == 1);

        starter.breaks = false;
        store.deferred.clear();
        until("it is found again", () -> {
            try {
                ticks.take(BOTH, NOW);
            } catch (JournalException e) {
                throw new IllegalStateException(e);
            }
            return store.settled.size() == 1;
        });
    }

    @Test
    void whatCannotBeWrittenIsTakenUpAgain() throws Exception {
        add("acme", 0, 1);
        store.failures.set(1);
        until("it is settled", () -> {
            try {
                ticks.take(BOTH, NOW);
            } catch (JournalException e) {
                throw new IllegalStateException(e);
            }
            return store.settled.size() == 1;
        });
        ticks.await(Duration.ofSeconds(20));

        Meters meters = new Meters();
        metrics.addTo(meters);
        String told = meters.text("").text();
        assertTrue(told.contains("{outcome=\"ignored\"} 1.0\n"), "what wasn't written isn't counted: " + told);
    }

    /** Nothing is asked for in vain. */
    @Test
    void aTenantThatIsOverQuotaStaysAwayAsLongAsItIsTold() throws Exception {
        add("acme", 0, 1);
        starter.isOverQuota = true;
        ticks.take(BOTH, NOW);
        until("it is put off", () -> store.deferred.size() == 1);
        OpenTick first = store.open.getFirst();
        assertTrue(store.deferred.getFirst().pause().compareTo(Duration.ofSeconds(60)) >= 0);

        starter.isOverQuota = false;
        add("acme", 0, 1);
        add("globex", 0, 1);
        ticks.take(BOTH, NOW.plusSeconds(59));
        until("the other tenant's is settled", () -> store.settled.size() == 1);
        assertEquals("globex", store.settled.getFirst().trigger().tenant().value());
        ticks.take(BOTH, NOW.plusSeconds(60));
        until("its turn has come", () -> store.settled.size() == 2);
        assertTrue(store.settled.stream()
                .noneMatch(it -> it.id().equals(first.arrival().id())));
    }

    /** A page of many of which one can be started here, again and again. */
    private static final class Endless extends FakeSchedules {
        private int pages;

        @Override
        public List<OpenTick> open(
                Collection<Lease> mine, Instant now, Collection<TenantId> without, Collection<UUID> known, int limit) {
            pages++;
            assertTrue(pages < 50, "it never looks up");
            return IntStream.range(0, limit)
                    .mapToObj(i -> OpenTickExamples.tick("acme", i == 0 ? 0 : 4_000, NOW, Optional.empty()))
                    .toList();
        }
    }

    @Test
    void howeverManyThereAreSchedulesHaveTheirTurn() throws Exception {
        Endless endless = new Endless();
        OpenTicks busy = new OpenTicks(
                endless, new TickAttempt(starter, new RulesCache()), Clock.SYSTEM, new TriggerMetrics(), () -> {});

        assertTrue(busy.take(List.of(LOWER), NOW), "there is more");

        busy.await(Duration.ofSeconds(20));
        assertTrue(endless.pages > 1);
    }
}
