package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadLetters.Filter;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What becomes a dead letter of what came for triggers, and for how many of a tenant there is room. */
final class LostArrivalsTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");

    private final VirtualClock clock = VirtualClock.start();
    private final DeadLetterStore store = new InMemoryDatabase(clock, 1).ports().deadLetters();
    private final LostArrivals lost = new LostArrivals(store, DeadLetterConfig.DEFAULT, 2);

    private static TriggerKey trigger(TenantId tenant) {
        return new TriggerKey(tenant, TriggerId.random());
    }

    private Arrival event(TenantId tenant, String delivery) {
        return Arrival.ofEvent(trigger(tenant), delivery, clock.now());
    }

    private boolean keep(Arrival arrival) {
        return lost.keep(
                arrival, Launcher.requestId(arrival), JsonObject.EMPTY, "c", DeadReason.EXHAUSTED, "QUOTA_EXCEEDED");
    }

    private List<DeadLetter> letters(TenantId tenant) throws Exception {
        return store.control().list(tenant, Filter.ALL, 0, 10);
    }

    @Test
    void beyondTheBoundSendersKeepTheirsAndWhatNobodySendsAgainIsDeadAtOnce() throws Exception {
        assertTrue(keep(event(ACME, "1@/shop")));
        assertTrue(keep(event(ACME, "01890a5d-ac96-774b-bcce-b302099a8057/7")));
        assertEquals(List.of(State.WAITING, State.WAITING), states(ACME));

        assertFalse(keep(event(ACME, "2@/shop")));
        assertFalse(keep(event(ACME, "sha256:" + "0".repeat(64))));
        assertFalse(keep(Arrival.signed(trigger(ACME), "3", clock.now(), clock.now())));
        assertFalse(keep(Arrival.byHand(trigger(ACME), "4", new Actor("user", "ann"), clock.now())));
        assertEquals(2, letters(ACME).size());

        assertTrue(keep(event(ACME, "01890a5d-ac96-774b-bcce-b302099a8057/8")));
        assertEquals(List.of(State.WAITING, State.WAITING, State.DEAD), states(ACME));
        assertTrue(keep(event(OTHER, "1@/shop")), "others have room of their own");
        assertEquals(List.of(State.WAITING), states(OTHER));
    }

    private List<State> states(TenantId tenant) throws Exception {
        return letters(tenant).stream().map(DeadLetter::state).toList();
    }

    @Test
    void howManyWaitIsReadAgainAfterASecond() throws Exception {
        AtomicLong nanos = new AtomicLong();
        LetterRoom room = new LetterRoom(store, LostArrivals.SOURCE, 1, nanos::get);
        assertFalse(room.isFull(ACME));
        assertTrue(keep(event(ACME, "1@/shop")));
        assertFalse(room.isFull(ACME), "it was read a moment ago");

        nanos.set(Duration.ofSeconds(1).toNanos());
        assertTrue(room.isFull(ACME));
        assertFalse(room.isFull(OTHER));
        room.add(OTHER);
        assertTrue(room.isFull(OTHER), "it was counted here");
        store.resolved(ACME, letters(ACME).getFirst().id());
        nanos.set(Duration.ofSeconds(2).toNanos());
        assertFalse(room.isFull(ACME));
    }
}
