package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.effect.DeliveryObserver;
import dev.flowstone.engine.effect.OutboxConfig;
import dev.flowstone.engine.effect.OutboxPublisher;
import dev.flowstone.engine.effect.OutboxRounds;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.testkit.conformance.MoveBuilder;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Two shards of a node share what a destination takes of it. */
final class ShardTurnsStoryTest {
    private final VirtualClock clock = VirtualClock.start();
    private final Ports ports = new InMemoryDatabase(clock, 2).ports();
    private final List<Lease> leases = new ArrayList<>();

    /** Deliveries that have begun and not been made. */
    private final ArrayDeque<Runnable> begun = new ArrayDeque<>();

    private final List<RunKey> delivered = new ArrayList<>();

    ShardTurnsStoryTest() throws JournalException {
        for (Shard shard : ports.leases().shards()) {
            leases.add(ports.leases()
                    .acquire(shard.id(), "one", Duration.ofDays(1))
                    .orElseThrow());
        }
    }

    private RunKey commit(Lease lease, int messages) throws JournalException {
        RunKey run = new RunKey(
                World.TENANT, RunId.of(clock.now(), new Slot(lease.shard().firstSlot()), 7));
        MoveBuilder move = new MoveBuilder(run, 0, clock.now());
        for (int i = 0; i < messages; i++) {
            move.message(new OutboxMessage(1, i, "shop", JsonObject.EMPTY));
        }
        ports.journal().commit(new Commit(lease, List.of(move.build()), List.of()));
        return run;
    }

    private OutboxRounds rounds(int atOnce) {
        Publisher shop = delivery -> {
            delivered.add(delivery.run());
            return Publisher.Receipt.of(204);
        };
        return new OutboxRounds(new OutboxPublisher(
                ports.outbox(),
                Map.of("shop", shop),
                OutboxConfig.DEFAULT.withLimits(new OutboxConfig.Limit(atOnce, 0), Map.of()),
                () -> SettingLog.EMPTY,
                clock,
                new SplittableRandom(1),
                begun::add,
                DeliveryObserver.NONE,
                Tracer.NONE,
                () -> {}));
    }

    private void make() {
        while (!begun.isEmpty()) {
            begun.remove().run();
        }
    }

    private long delivered(RunKey run) {
        return delivered.stream().filter(run::equals).count();
    }

    @Test
    void aBacklogInOneShardStopsNoOther() throws Exception {
        RunKey first = commit(leases.getFirst(), 100);
        RunKey second = commit(leases.getLast(), 100);
        OutboxRounds rounds = rounds(2);

        for (int i = 0; i < 10; i++) {
            assertEquals(2, rounds.round(leases));
            make();
        }

        assertEquals(10, delivered(first));
        assertEquals(10, delivered(second));
    }

    /** Also if rounds that begin nothing lie in between. */
    @Test
    void theOnlyPlaceGoesFromOneToTheOther() throws Exception {
        RunKey first = commit(leases.getFirst(), 100);
        RunKey second = commit(leases.getLast(), 100);
        OutboxRounds rounds = rounds(1);

        for (int i = 0; i < 10; i++) {
            assertEquals(1, rounds.round(leases));
            assertEquals(0, rounds.round(leases), "it is under way");
            make();
        }

        assertEquals(5, delivered(first));
        assertEquals(5, delivered(second));
    }

    @Test
    void whatOneShardHasNoUseForIsTheOthers() throws Exception {
        commit(leases.getFirst(), 100);
        OutboxRounds rounds = rounds(8);

        assertEquals(8, rounds.round(leases) + rounds.round(leases));
    }
}
