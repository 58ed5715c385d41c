package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.JournalException.Unavailable;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.TriggerDeliveries;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** How writing deliveries ends, while the database answers and while it doesn't. */
final class DeliveryWriterEndTest {
    private static final TriggerKey TRIGGER = new TriggerKey(new TenantId("acme"), TriggerId.random());
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Database database = new Database();
    private final DeliveryWriter writer = DeliveryWriter.start(database);

    /** Once it is away, whoever asks waits until he is interrupted, and forgets that he was, as pools may. */
    private static final class Database implements TriggerDeliveries {
        private final List<UUID> settled = new CopyOnWriteArrayList<>();
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch interrupted = new CountDownLatch(1);
        private volatile boolean away;

        private void wait(boolean isAway) throws Unavailable {
            if (!isAway) {
                return;
            }
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw new Unavailable("interrupted while it waited for a connection");
            }
        }

        @Override
        public Map<UUID, Claim> claim(List<Arrival> arrivals) throws JournalException {
            wait(away);
            return Map.of();
        }

        @Override
        public void settle(List<Settled> of) throws JournalException {
            wait(away);
            of.forEach(one -> settled.add(one.id()));
        }

        @Override
        public List<Delivery> list(TriggerKey trigger, Optional<UUID> before, int limit) {
            throw new UnsupportedOperationException();
        }
    }

    private static Arrival arrival() {
        return Arrival.unproven(TRIGGER, "d", Instant.EPOCH);
    }

    private static Settled settled(UUID id) {
        return new Settled(TRIGGER, id, Result.ignored("nothing"));
    }

    /** Claims on a thread of its own; returns when that waits for the answer. */
    private CompletableFuture<String> claims() {
        CompletableFuture<String> told = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                told.complete("written: " + writer.claim(arrival()));
            } catch (JournalException e) {
                told.complete(String.valueOf(e.getMessage()));
            } catch (RuntimeException e) {
                told.completeExceptionally(e);
            }
        });
        long end = System.nanoTime() + LONG.toNanos();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(System.nanoTime() < end, "it never waits");
            LockSupport.parkNanos(1_000_000);
        }
        return told;
    }

    @Test
    void whatCameIsWrittenFirst() throws Exception {
        List<UUID> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            all.add(UUID.randomUUID());
            writer.settle(settled(all.getLast()));
        }

        writer.await(LONG);

        assertEquals(all, database.settled);
        writer.settle(settled(UUID.randomUUID()));
        assertThrows(Unavailable.class, () -> writer.claim(arrival()));
        assertEquals(all, database.settled, "it has ended");
    }

    /** It has no time of its own, beside that of all who need the database. */
    @Test
    void whoWaitsForTheDatabaseIsInterruptedOnceTheTimeIsOver() throws Exception {
        database.away = true;
        writer.settle(settled(UUID.randomUUID()));
        assertTrue(database.asked.await(60, TimeUnit.SECONDS));

        writer.await(Duration.ofMillis(10));

        assertTrue(database.interrupted.await(60, TimeUnit.SECONDS));
    }

    /** Those whose turn it isn't yet, too: else they would wait for an answer that nobody gives. */
    @Test
    void whoClaimsIsToldThatTheServerStops() throws Exception {
        database.away = true;
        CompletableFuture<String> asked = claims();
        assertTrue(database.asked.await(60, TimeUnit.SECONDS));
        CompletableFuture<String> queued = claims();

        writer.close();

        assertEquals("interrupted while it waited for a connection", asked.get(60, TimeUnit.SECONDS));
        assertEquals("the server is stopping", queued.get(60, TimeUnit.SECONDS));
    }
}
