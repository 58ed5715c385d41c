package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.TriggerDeliveries;
import dev.flowstone.engine.trigger.TriggerDeliveries.Claim;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deliveries that a database takes in turns, or doesn't. */
@Timeout(60)
final class DeliveryWriterTest {
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);
    private static final TriggerKey TRIGGER = new TriggerKey(new TenantId("acme"), TriggerId.random());
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private final Store store = new Store();
    private final DeliveryWriter writer = DeliveryWriter.start(store);

    @AfterEach
    void close() {
        store.goOn.release(1_000);
        writer.close();
    }

    /** Keeps what is written, once the test lets it. */
    private static final class Store implements TriggerDeliveries {
        final List<List<String>> claims = new CopyOnWriteArrayList<>();
        final BlockingQueue<String> settled = new LinkedBlockingQueue<>();
        final Semaphore begun = new Semaphore(0);
        final Semaphore goOn = new Semaphore(0);
        volatile boolean away;

        @Override
        public Map<UUID, Claim> claim(List<Arrival> arrivals) throws JournalException {
            claims.add(arrivals.stream().map(Arrival::delivery).toList());
            begun.release();
            goOn.acquireUninterruptibly();
            Map<UUID, Claim> claimed = new HashMap<>();
            for (Arrival arrival : arrivals) {
                switch (arrival.delivery()) {
                    case "bad" -> throw new JournalException.BadData("it is bad");
                    case "error" -> throw new AssertionError("as if memory had gone");
                    case "gone" -> throw new JournalException.Unavailable("away");
                    case "replay" -> {}
                    default -> claimed.put(arrival.id(), Claim.FIRST);
                }
            }
            return claimed;
        }

        @Override
        public void settle(List<Settled> some) throws JournalException {
            begun.release();
            if (away) {
                throw new JournalException.UnknownOutcome("away");
            }
            if (some.stream().anyMatch(it -> detail(it).equals("bad"))) {
                throw new IllegalStateException("it is bad");
            }
            some.forEach(it -> settled.add(detail(it)));
        }

        private static String detail(Settled settled) {
            return settled.result().detail().orElse("");
        }

        @Override
        public List<Delivery> list(TriggerKey trigger, Optional<UUID> before, int limit) {
            return List.of();
        }
    }

    private static Arrival arrival(String delivery) {
        return Arrival.signed(TRIGGER, delivery, NOW, NOW);
    }

    private CompletableFuture<Claim> claim(String delivery) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return writer.claim(arrival(delivery));
                    } catch (JournalException e) {
                        throw new CompletionException(e);
                    }
                },
                THREADS);
    }

    private void settle(String detail) {
        Arrival arrival = arrival("d");
        writer.settle(new Settled(TRIGGER, arrival.id(), Result.ignored(detail)));
    }

    private String next() throws InterruptedException {
        String next = store.settled.poll(30, TimeUnit.SECONDS);
        return next == null ? "nothing" : next;
    }

    /** The first is written alone; these wait behind it, and are the next batch once all of them are there. */
    private List<CompletableFuture<Claim>> together(List<String> deliveries) throws Exception {
        CompletableFuture<Claim> first = claim("first");
        store.begun.acquire();
        List<CompletableFuture<Claim>> all = new ArrayList<>();
        for (String delivery : deliveries) {
            all.add(claim(delivery));
        }
        while (writer.waiting() < deliveries.size()) {
            Thread.onSpinWait();
        }
        store.goOn.release(1_000);
        assertEquals(Claim.FIRST, first.get());
        return all;
    }

    @Test
    void whoComesWhileABatchIsWrittenIsInTheNextOne() throws Exception {
        for (CompletableFuture<Claim> claim : together(List.of("a", "b", "c"))) {
            assertEquals(Claim.FIRST, claim.get());
        }
        assertEquals(List.of(1, 3), store.claims.stream().map(List::size).toList());
        assertEquals(Claim.REPLAY, claim("replay").get());
    }

    @Test
    void whatCantBeWrittenTakesNothingElseAlong() throws Exception {
        List<CompletableFuture<Claim>> all = together(List.of("a", "bad", "b", "error", "c"));
        for (int good : List.of(0, 2, 4)) {
            assertEquals(Claim.FIRST, all.get(good).get());
        }
        assertTrue(failure(all.get(1)) instanceof JournalException.BadData);
        assertTrue(failure(all.get(3)) instanceof IllegalStateException);
        assertEquals(Claim.FIRST, claim("later").get(), "and whoever writes goes on");
    }

    @Test
    void whatTheDatabaseIsAwayForFailsAtOnce() throws Exception {
        List<CompletableFuture<Claim>> all = together(List.of("a", "gone"));
        assertTrue(failure(all.get(0)) instanceof JournalException.Unavailable);
        assertTrue(failure(all.get(1)) instanceof JournalException.Unavailable);
        assertEquals(2, store.claims.size());
    }

    private static Throwable failure(CompletableFuture<Claim> claim) {
        ExecutionException failed = assertThrows(ExecutionException.class, claim::get);
        return failed.getCause() == null ? failed : failed.getCause();
    }

    @Test
    void whatBecameOfThemIsWrittenOnceTheDatabaseIsBack() throws Exception {
        store.away = true;
        settle("one");
        store.begun.acquire(2);
        settle("two");
        store.away = false;
        assertEquals("one", next());
        assertEquals("two", next());
    }

    @Test
    void aResultThatCantBeWrittenIsGivenUpAlone() throws Exception {
        store.away = true;
        settle("one");
        store.begun.acquire();
        settle("bad");
        settle("two");
        while (writer.waiting() > 0) {
            Thread.onSpinWait();
        }
        store.away = false;
        assertEquals("one", next());
        assertEquals("two", next());
    }

    /** Rows of a batch are written in no order. */
    @Test
    void ofOneDeliveryWhatIsSaidLastHolds() throws Exception {
        store.away = true;
        Arrival tried = arrival("tried again");
        writer.settle(new Settled(TRIGGER, tried.id(), Result.ignored("first")));
        store.begun.acquire();
        writer.settle(new Settled(TRIGGER, tried.id(), Result.ignored("last")));
        while (writer.waiting() > 0) {
            Thread.onSpinWait();
        }
        store.away = false;
        assertEquals("last", next());
        settle("of another");
        assertEquals("of another", next());
    }

    /** As what nothing proves is noted. */
    @Test
    void aResultThatComesWithItsDeliveryIsWrittenBehindIt() throws Exception {
        CompletableFuture<Claim> first = claim("first");
        store.begun.acquire();
        Arrival noted = arrival("noted");
        writer.note(noted);
        writer.settle(new Settled(TRIGGER, noted.id(), Result.ignored("noted")));
        settle("of another");
        store.goOn.release(1_000);
        assertEquals(Claim.FIRST, first.get());
        assertEquals("of another", next());
        assertEquals("noted", next());
        assertEquals(
                List.of("first", "noted"),
                store.claims.stream().map(List::getFirst).toList());
    }

    @Test
    void whoWaitsInVainIsNotWrittenLater() throws Exception {
        try (DeliveryWriter hasty = DeliveryWriter.start(store, Duration.ofMillis(50))) {
            CompletableFuture<Claim> first = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return hasty.claim(arrival("slow"));
                        } catch (JournalException e) {
                            throw new CompletionException(e);
                        }
                    },
                    THREADS);
            store.begun.acquire();
            assertThrows(JournalException.Unavailable.class, () -> hasty.claim(arrival("late")));
            assertTrue(failure(first) instanceof JournalException.Unavailable);
            store.goOn.release(1_000);
            hasty.settle(new Settled(TRIGGER, UUID.randomUUID(), Result.ignored("behind it")));
            assertEquals("behind it", next());
            assertEquals(List.of(List.of("slow")), store.claims);
        }
    }

    @Test
    void closingWritesWhatWaits() throws Exception {
        CompletableFuture<Claim> first = claim("first");
        store.begun.acquire();
        settle("behind it");
        store.goOn.release(1_000);
        writer.await(Duration.ofMinutes(1));
        assertEquals(Claim.FIRST, first.get());
        assertEquals("behind it", next());
        assertThrows(JournalException.Unavailable.class, () -> writer.claim(arrival("too late")));
    }
}
