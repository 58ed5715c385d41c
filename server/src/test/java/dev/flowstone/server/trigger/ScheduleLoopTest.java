package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerSchedules.Advance;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import dev.flowstone.engine.trigger.TriggerSchedules.Place;
import dev.flowstone.engine.trigger.TriggerSchedules.Scheduled;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.config.TriggerConfig;
import dev.flowstone.server.metric.TriggerMetrics;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The loop, on a store that gives what it is given. */
final class ScheduleLoopTest {
    private static final Instant TICK = Instant.parse("2026-12-01T09:00:00Z");
    private static final Lease LEASE = new Lease(new Shard(new ShardId(0), 0, 4_095, 0), "node", 1, Instant.MAX);

    private final FakeSchedules store = new FakeSchedules();

    private static final class Ignoring implements TickStarter {
        @Override
        public Launched launch(Trigger trigger, Arrival arrival, JsonValue payload) {
            return new Launched.Ignored("no");
        }

        @Override
        public Optional<Launched> before(Trigger trigger, Arrival arrival) {
            return Optional.empty();
        }
    }

    private ScheduleLoop loop(Clock clock) {
        return ScheduleLoop.start(
                store, new Ignoring(), () -> List.of(LEASE), clock, TriggerConfig.DEFAULT, new TriggerMetrics());
    }

    private static void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    /** Else it would see to all ticks until then, and none of them would fire. */
    @Test
    void aClockThatIsAheadMovesNothing() {
        OpenTick example = OpenTickExamples.tick("acme", 0, TICK.minusSeconds(1), Optional.empty());
        Trigger daily = example.trigger().orElseThrow();
        store.waiting.add(new Scheduled(
                daily.key(), Optional.of(daily), new Place(Optional.of(TICK), TICK.minusSeconds(60), 1), TICK));
        try (ScheduleLoop _ = loop(() -> Instant.parse("2099-01-01T00:00:00Z"))) {
            until("it is claimed", () -> !store.advances.isEmpty());
        }
        Advance step = store.advances.getFirst();
        assertEquals(1, store.advances.size());
        assertEquals(1, step.ticks().size());
        assertEquals(Optional.of(TICK), step.ticks().getFirst().arrival().sentAt());
        assertEquals(Optional.of(Instant.parse("2026-12-02T09:00:00Z")), step.due());
    }

    /** Nor does anything that breaks end the loop. */
    @Test
    void whatKeepsTicksFromBeingClaimedKeepsNoneFromBeingStarted() {
        store.isBroken = true;
        try (ScheduleLoop _ = loop(Clock.SYSTEM)) {
            store.open.add(OpenTickExamples.tick("acme", 0, TICK, Optional.empty()));
            until("it is settled", () -> store.settled.size() == 1);
            store.open.add(OpenTickExamples.tick("acme", 0, TICK, Optional.empty()));
            until("the next one, too", () -> store.settled.size() == 2);
        }
    }
}
