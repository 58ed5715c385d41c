package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.effect.DeliveryObserver;
import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxConfig;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.effect.OutboxPublisher;
import dev.flowstone.engine.effect.Publisher;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What destinations take: so many at once, at their pace, none at another's cost; and what is known of each attempt. */
final class DestinationStoryTest {
    private final VirtualClock clock = VirtualClock.start();
    private final Ports ports = new InMemoryDatabase(clock, 1).ports();
    private final Lease lease = ports.leases()
            .acquire(ports.leases().shards().getFirst().id(), "one", Duration.ofDays(1))
            .orElseThrow();

    /** Deliveries that have begun and not been made. */
    private final ArrayDeque<Runnable> begun = new ArrayDeque<>();

    private final List<String> delivered = new ArrayList<>();

    DestinationStoryTest() throws JournalException {}

    private void commit(long number, String destination, int messages) throws JournalException {
        RunKey run = new RunKey(World.TENANT, RunId.of(clock.now(), new Slot(5), number));
        List<OutboxMessage> all = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            all.add(new OutboxMessage(1, i, destination, JsonObject.EMPTY));
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
                all,
                List.of(),
                List.of(),
                List.of());
        ports.journal().commit(new Commit(lease, List.of(move), List.of()));
    }

    private OutboxPublisher publisher(OutboxConfig config, Map<String, Publisher> publishers) {
        return new OutboxPublisher(
                ports.outbox(),
                publishers,
                config,
                () -> SettingLog.EMPTY,
                clock,
                new SplittableRandom(1),
                begun::add,
                DeliveryObserver.NONE,
                Tracer.NONE,
                () -> {});
    }

    private Publisher taking(String name) {
        return delivery -> {
            delivered.add(name);
            return Publisher.Receipt.of(204);
        };
    }

    private static Publisher failing() {
        return delivery -> {
            throw new Publisher.RetryableException("the endpoint answered 503", 503, null);
        };
    }

    private void make() {
        while (!begun.isEmpty()) {
            begun.remove().run();
        }
    }

    private static OutboxConfig limited(int atOnce, double perSecond) {
        return OutboxConfig.DEFAULT.withLimits(
                new OutboxConfig.Limit(8, 0), Map.of("shop", new OutboxConfig.Limit(atOnce, perSecond)));
    }

    @Test
    void aDestinationTakesSoManyAtOnce() throws Exception {
        commit(1, "shop", 5);
        OutboxPublisher publisher = publisher(limited(2, 0), Map.of("shop", taking("shop")));

        assertEquals(2, publisher.step(lease));
        assertEquals(0, publisher.step(lease), "both are under way");
        begun.remove().run();
        assertEquals(1, publisher.step(lease), "one place is free");
        make();
        assertEquals(2, publisher.step(lease));
        make();

        assertEquals(5, delivered.size());
    }

    @Test
    void aDestinationHasItsPace() throws Exception {
        commit(1, "shop", 100);
        OutboxPublisher publisher = publisher(limited(50, 2), Map.of("shop", taking("shop")));
        List<Integer> each = new ArrayList<>();
        for (int second = 0; second < 5; second++) {
            int count = publisher.step(lease);
            make();
            count += publisher.step(lease);
            make();
            each.add(count);
            clock.advance(Duration.ofSeconds(1));
        }

        assertEquals(List.of(2, 2, 2, 2, 2), each);
    }

    @Test
    void thousandsForADestinationThatIsDeadKeepNoOtherFromGoing() throws Exception {
        commit(1, "poison", 5_000);
        clock.advance(Duration.ofSeconds(1));
        commit(2, "shop", 1);
        OutboxPublisher publisher =
                publisher(OutboxConfig.DEFAULT, Map.of("shop", taking("shop"), "poison", failing()));

        assertTrue(publisher.step(lease) > 1);
        make();

        assertEquals(List.of("shop"), delivered, "within one step");
    }

    @Test
    void aDestinationThatFailsIsProbedOneByOneUntilItIsThereAgain() throws Exception {
        commit(1, "shop", 50);
        boolean[] up = {false};
        OutboxPublisher publisher = publisher(OutboxConfig.DEFAULT.withFailures(3), Map.of("shop", delivery -> {
            if (!up[0]) {
                throw new IllegalStateException("nobody answers");
            }
            delivered.add("shop");
            return Publisher.Receipt.NONE;
        }));
        assertEquals(8, publisher.step(lease));
        make();

        assertEquals(0, publisher.step(lease), "it rests");
        int tries = 8;
        int most = 0;
        for (int second = 0; second < 120; second++) {
            clock.advance(Duration.ofSeconds(1));
            int count = publisher.step(lease);
            make();
            most = Math.max(most, count);
            tries += count;
        }
        assertEquals(1, most, "one probe at a time");
        assertTrue(tries > 10 && tries < 8 + 20, "with growing pauses: " + tries);

        up[0] = true;
        for (int second = 0; second < 120 && delivered.size() < 50; second++) {
            clock.advance(Duration.ofSeconds(1));
            int _ = publisher.step(lease);
            make();
        }
        assertEquals(50, delivered.size());
    }

    @Test
    void whatTheOtherSideAsksForIsHeeded() throws Exception {
        commit(1, "shop", 1);
        OutboxPublisher publisher = publisher(OutboxConfig.DEFAULT, Map.of("shop", delivery -> {
            throw new Publisher.RetryableException("the endpoint answered 429", 429, Duration.ofMinutes(7));
        }));
        assertEquals(1, publisher.step(lease));
        make();
        assertEquals(0, publisher.step(lease));

        clock.advance(Duration.ofMinutes(7).minusSeconds(1));
        assertEquals(0, publisher.step(lease));
        clock.advance(Duration.ofSeconds(2));
        assertEquals(1, publisher.step(lease));
    }

    /** It speaks for the destination, not for the one message. */
    @Test
    void whoAsksToBeLeftAloneIsSentNothingElseEither() throws Exception {
        commit(1, "shop", 1);
        int[] calls = {0};
        OutboxPublisher publisher = publisher(OutboxConfig.DEFAULT, Map.of("shop", delivery -> {
            calls[0]++;
            if (calls[0] == 1) {
                throw new Publisher.RetryableException("the endpoint answered 429", 429, Duration.ofMinutes(7));
            }
            return Publisher.Receipt.NONE;
        }));
        assertEquals(1, publisher.step(lease));
        make();
        assertEquals(0, publisher.step(lease));
        commit(2, "shop", 3);

        clock.advance(Duration.ofMinutes(7).minusSeconds(1));
        assertEquals(0, publisher.step(lease));
        clock.advance(Duration.ofSeconds(2));
        assertEquals(4, publisher.step(lease));
    }

    @Test
    void everyAttemptLeavesEvidence() throws Exception {
        commit(1, "shop", 1);
        OutboxKey key = ports.outbox().due(lease, clock.now(), 1).getFirst().key();
        int[] calls = {0};
        OutboxPublisher publisher = publisher(OutboxConfig.DEFAULT, Map.of("shop", delivery -> {
            calls[0]++;
            clock.advance(Duration.ofMillis(40));
            if (calls[0] == 1) {
                throw new Publisher.RetryableException("the endpoint answered 503", 503, null);
            }
            return Publisher.Receipt.of(200);
        }));
        assertEquals(1, publisher.step(lease));
        make();
        assertEquals(0, publisher.step(lease));
        clock.advance(Duration.ofSeconds(2));
        assertEquals(1, publisher.step(lease));
        make();
        assertEquals(0, publisher.step(lease));

        OutboxControl.Story story = ports.outbox().control().story(key).orElseThrow();
        assertEquals(Optional.empty(), story.entry(), "it has left");
        assertEquals(
                List.of(
                        "2 DELIVERED Optional[200] Optional.empty PT0.04S",
                        "1 POSTPONED Optional[503] Optional[the endpoint" + " answered 503] PT0.04S"),
                story.attempts().stream()
                        .map(it -> it.attempt() + " " + it.outcome() + " " + it.status() + " " + it.error() + " "
                                + it.took())
                        .toList());
    }

    @Test
    void whyItIsDeadIsKnown() throws Exception {
        commit(1, "gone", 1);
        commit(2, "shop", 1);
        commit(3, "nobody", 1);
        OutboxPublisher publisher = publisher(
                OutboxConfig.DEFAULT.withAttempts(1),
                Map.of(
                        "gone",
                        delivery -> {
                            throw new Publisher.UndeliverableException("the endpoint answered 410", 410);
                        },
                        "shop",
                        failing()));
        assertEquals(3, publisher.step(lease));
        make();
        assertEquals(0, publisher.step(lease));

        assertEquals(
                List.of(
                        "gone " + Outbox.DeathReason.UNDELIVERABLE,
                        "shop " + Outbox.DeathReason.EXHAUSTED,
                        "nobody " + Outbox.DeathReason.UNKNOWN_DESTINATION),
                ports.outbox().control().list(World.TENANT, OutboxControl.Filter.ALL, Optional.empty(), 10).stream()
                        .map(entry -> entry.destination() + " " + entry.reason().orElseThrow())
                        .toList());
    }
}
