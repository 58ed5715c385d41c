package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.effect.Delivery;
import dev.flowstone.engine.effect.DeliveryObserver;
import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxConfig;
import dev.flowstone.engine.effect.OutboxPublisher;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.engine.effect.Wanted;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** How messages leave. */
final class OutboxStoryTest {
    private final VirtualClock clock = VirtualClock.start();
    private final Ports ports = new InMemoryDatabase(clock, 1).ports();
    private final Lease lease = ports.leases()
            .acquire(ports.leases().shards().getFirst().id(), "one", Duration.ofDays(1))
            .orElseThrow();
    private boolean away;
    private final Outbox outbox = new Outbox() {
        @Override
        public List<Pending> due(Lease holder, Instant now, Wanted wanted) throws JournalException {
            return ports.outbox().due(holder, now, wanted);
        }

        @Override
        public boolean knows(OutboxKey key) throws JournalException {
            return ports.outbox().knows(key);
        }

        @Override
        public void settle(Lease holder, List<Settlement> settlements) throws JournalException {
            if (away) {
                throw new JournalException.Unavailable("the network is cut");
            }
            ports.outbox().settle(holder, settlements);
        }
    };
    private final Semaphore ended = new Semaphore(0);
    private final List<String> delivered = new CopyOnWriteArrayList<>();

    OutboxStoryTest() throws JournalException {}

    private void commit(String... destinations) throws JournalException {
        commit(42, destinations);
    }

    private void commit(long number, String... destinations) throws JournalException {
        RunKey run = new RunKey(World.TENANT, RunId.of(clock.now(), new Slot(5), number));
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < destinations.length; i++) {
            messages.add(new OutboxMessage(1, i, destinations[i], JsonObject.EMPTY));
        }
        RunMove move = new RunMove(
                run,
                new WorkflowId("w"),
                1,
                Sha256.ZERO,
                "c",
                0,
                List.of(new JournalEntry(1, 1, new byte[] {1}, Sha256.ZERO)),
                RunStatus.RUNNING,
                false,
                clock.now(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of(),
                messages,
                List.of(),
                List.of(),
                List.of());
        ports.journal().commit(new Commit(lease, List.of(move), List.of()));
    }

    private OutboxPublisher publisher(Map<String, Publisher> publishers, OutboxConfig config, Executor executor) {
        return new OutboxPublisher(
                outbox,
                publishers,
                config,
                () -> SettingLog.EMPTY,
                clock,
                new SplittableRandom(1),
                executor,
                DeliveryObserver.NONE,
                Tracer.NONE,
                ended::release);
    }

    /** Tells that something was delivered. */
    private Publisher telling(Function<Delivery, String> what) {
        return delivery -> {
            delivered.add(what.apply(delivery));
            return Publisher.Receipt.NONE;
        };
    }

    /** The number of the next attempt at the message to this destination. */
    private int attempts(String destination) throws JournalException {
        return ports.outbox().due(lease, clock.now().plusSeconds(10), 10).stream()
                .filter(pending -> pending.message().destination().equals(destination))
                .mapToInt(pending -> pending.attempts() + 1)
                .sum();
    }

    @Test
    void deliversOnceUnderAKeyThatNeverChanges() throws Exception {
        commit("mail", "mail");
        OutboxPublisher publisher = publisher(
                Map.of("mail", telling(delivery -> delivery.key() + " " + delivery.attempt())),
                OutboxConfig.DEFAULT,
                Runnable::run);

        assertEquals(2, publisher.step(lease));
        assertEquals(0, publisher.step(lease));

        String run = RunId.of(clock.now(), new Slot(5), 42).toString();
        assertEquals(List.of(run + ":1:0 1", run + ":1:1 1"), delivered);
    }

    @Test
    void aFailureIsTriedAgainWithGrowingPausesAndThenDies() throws Exception {
        commit("mail");
        OutboxConfig config = new OutboxConfig(
                10, 4, Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ofSeconds(1), Duration.ofSeconds(1));
        List<Instant> begun = new ArrayList<>();
        OutboxPublisher publisher = publisher(
                Map.of("mail", delivery -> {
                    delivered.add(String.valueOf(delivery.attempt()));
                    begun.add(clock.now());
                    throw new IllegalStateException("the server said 503");
                }),
                config,
                Runnable::run);
        for (int tenth = 0; tenth < 1_000; tenth++) {
            int _ = publisher.step(lease);
            clock.advance(Duration.ofMillis(100));
        }

        assertEquals(List.of("1", "2", "3", "4"), delivered);
        Duration tick = Duration.ofMillis(100);
        for (int i = 1; i < begun.size(); i++) {
            Duration pause = Duration.between(begun.get(i - 1), begun.get(i));
            Duration whole = config.base().multipliedBy(1L << (i - 1));
            assertTrue(
                    pause.compareTo(whole.dividedBy(2)) >= 0 && pause.compareTo(whole.plus(tick)) < 0,
                    () -> "pauses: " + begun);
        }
        assertEquals(List.of(), ports.outbox().due(lease, clock.now().plus(Duration.ofDays(9)), 10));
    }

    @Test
    void aPoisonedMessageDelaysNoOther() throws Exception {
        commit("stuck", "mail", "nobody", "never");
        OutboxConfig config = new OutboxConfig(
                10, 4, Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ofMillis(200), Duration.ofSeconds(1));
        OutboxPublisher publisher = publisher(
                Map.of(
                        "stuck",
                        delivery -> {
                            new CountDownLatch(1).await();
                            return Publisher.Receipt.NONE;
                        },
                        "mail",
                        telling(delivery -> "mail"),
                        "never",
                        delivery -> {
                            throw new Publisher.UndeliverableException("no such mailbox");
                        }),
                config,
                Executors.newVirtualThreadPerTaskExecutor());

        assertEquals(4, publisher.step(lease));
        ended.acquire(3);
        assertEquals(0, publisher.step(lease), "nothing waits for the one that is stuck");
        assertEquals(List.of("mail"), delivered);
        commit(43, "mail");
        assertEquals(1, publisher.step(lease));
        ended.acquire();
        assertEquals(List.of("mail", "mail"), delivered);

        clock.advance(Duration.ofMillis(199));
        assertEquals(0, publisher.step(lease));
        assertEquals(1, attempts("stuck"), "it has time yet");
        clock.advance(Duration.ofMillis(1));
        assertEquals(0, publisher.step(lease));
        ended.acquire();
        assertEquals(2, attempts("stuck"));
        assertEquals(
                List.of("stuck", "nobody"),
                ports.outbox().due(lease, clock.now().plusSeconds(10), 10).stream()
                        .map(pending -> pending.message().destination())
                        .sorted(Comparator.reverseOrder())
                        .toList());
    }

    /** At least once: a shard that was away for a while reads anew what is due. */
    @Test
    void whatWasUnderWayUnderAnotherEpochIsDeliveredAgain() throws Exception {
        commit("mail");
        OutboxPublisher publisher =
                publisher(Map.of("mail", telling(delivery -> "mail")), OutboxConfig.DEFAULT, task -> {});
        assertEquals(1, publisher.step(lease));
        assertEquals(0, publisher.step(lease), "it is under way");
        Lease again = ports.leases()
                .acquire(lease.shard().id(), "one", Duration.ofDays(1))
                .orElseThrow();

        assertEquals(1, publisher.step(again));
    }

    @Test
    void whatCouldNotBeRecordedIsRecordedLaterAndNotDeliveredTwice() throws Exception {
        commit("mail");
        OutboxPublisher publisher =
                publisher(Map.of("mail", telling(delivery -> "mail")), OutboxConfig.DEFAULT, Runnable::run);
        assertEquals(1, publisher.step(lease));
        away = true;
        assertThrows(JournalException.class, () -> publisher.step(lease));
        away = false;
        assertEquals(0, publisher.step(lease));

        assertEquals(List.of("mail"), delivered);
        assertEquals(List.of(), ports.outbox().due(lease, clock.now(), 10));
    }
}
