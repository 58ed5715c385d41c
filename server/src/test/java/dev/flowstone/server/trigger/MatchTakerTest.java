package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.execution.Logs;
import dev.flowstone.server.trigger.MatchTaker.Match;
import dev.flowstone.triggers.event.EventChain;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** An event is started or kept before the next page is read, and one that nobody can start holds up no others. */
final class MatchTakerTest {
    private final Trigger trigger = SomeTriggers.trigger();
    private final AtomicReference<Listeners> listeners = new AtomicReference<>(SomeTriggers.listeners(trigger));
    private final Starts starts = new Starts();
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    private final MatchTaker taker =
            new MatchTaker(starts, listeners::get, () -> left.getAndDecrement() > 0, Duration.ofNanos(1_000));

    /** Takes as the test says. */
    private static final class Starts implements OwnEvents {
        private final Map<Trigger, Integer> taken = new ConcurrentHashMap<>();
        private final AtomicInteger kept = new AtomicInteger();

        /** Under which something was tried or kept. */
        private final Set<UUID> arrivals = ConcurrentHashMap.newKeySet();

        /** How many attempts to keep one fail. */
        private final AtomicInteger unkept = new AtomicInteger();

        private boolean keepsNothing;
        private Attempt attempt = _ -> {};

        @FunctionalInterface
        private interface Attempt {
            void number(int number) throws JournalException;
        }

        @Override
        public Arrival arrival(Trigger trigger, String delivery) {
            return Arrival.ofEvent(trigger.key(), delivery, Instant.EPOCH);
        }

        @Override
        public Result takeOwn(Trigger trigger, Arrival arrival, JsonObject event, EventChain chain)
                throws JournalException {
            arrivals.add(arrival.id());
            attempt.number(taken.merge(trigger, 1, Integer::sum));
            return Result.ignored("as the test says");
        }

        @Override
        public boolean keepOwn(Arrival arrival, JsonObject event, EventChain chain, Throwable why) {
            arrivals.add(arrival.id());
            if (keepsNothing || unkept.getAndDecrement() > 0) {
                return false;
            }
            kept.incrementAndGet();
            return true;
        }

        @Override
        public boolean keepsNothing() {
            return keepsNothing;
        }

        @Override
        public void end() {}
    }

    private boolean take(Trigger... triggers) {
        Event event = Logs.event(1, Logs.other());
        return taker.areTaken(
                List.of(triggers).stream().map(it -> new Match(event, it)).toList());
    }

    private int attempts() {
        return starts.taken.getOrDefault(trigger, 0);
    }

    private static void unavailable() throws JournalException {
        throw new JournalException.Unavailable("the database is away");
    }

    @Test
    void whatCannotBeStartedIsTriedAgain() {
        starts.attempt = number -> {
            if (number < 3) {
                unavailable();
            }
        };
        assertTrue(take(trigger));
        assertEquals(3, attempts());
        assertEquals(0, starts.kept.get());
    }

    @Test
    void whoIsTurnedOffMeanwhileStartsNothing() {
        starts.attempt = number -> {
            if (number == 2) {
                listeners.set(SomeTriggers.listeners());
            }
            unavailable();
        };
        assertTrue(take(trigger));
        assertEquals(2, attempts());
        assertTrue(take(trigger));
        assertEquals(2, attempts(), "nor what was found before");
        assertEquals(0, starts.kept.get());
    }

    @Test
    void oneThatAloneCannotBeStartedIsKept() {
        starts.attempt = _ -> unavailable();
        starts.unkept.set(2);
        assertTrue(take(trigger));
        assertEquals(1, starts.kept.get());
        assertTrue(attempts() > 3, "an outage is waited for");
        assertEquals(1, starts.arrivals.size(), "it came once");
    }

    @Test
    void aFaultIsKeptAtOnceAndNoneIsLostWhileItCannotBe() {
        starts.attempt = _ -> {
            throw new IllegalStateException("a bug");
        };
        assertTrue(take(trigger));
        assertEquals(1, attempts());
        assertEquals(1, starts.kept.get());
        starts.unkept.set(2);
        assertTrue(take(trigger));
        assertEquals(4, attempts());
        assertEquals(2, starts.kept.get());
    }

    /** Else the page would be read again for ever. */
    @Test
    void whateverBreaksIsKept() {
        starts.attempt = _ -> {
            throw new NoClassDefFoundError("as after an update beneath it");
        };
        assertTrue(take(trigger));
        assertEquals(1, starts.kept.get());
    }

    @Test
    void whereNothingIsKeptAFaultHoldsUpNobodyAndAnOutageAll() {
        starts.keepsNothing = true;
        starts.attempt = _ -> {
            throw new StackOverflowError();
        };
        assertTrue(take(trigger));
        assertEquals(1, attempts());
        starts.attempt = _ -> unavailable();
        left.set(20);
        assertFalse(take(trigger), "the node is about to stop");
        assertEquals(21, attempts());
    }

    @Test
    void whatOneCannotTakeOthersDo() {
        Trigger other = SomeTriggers.trigger();
        listeners.set(SomeTriggers.listeners(trigger, other));
        starts.attempt = _ -> {
            if (starts.taken.getOrDefault(trigger, 0) < 2) {
                unavailable();
            }
        };
        assertTrue(take(trigger, other, trigger));
        assertTrue(starts.taken.getOrDefault(other, 0) > 0);
    }
}
