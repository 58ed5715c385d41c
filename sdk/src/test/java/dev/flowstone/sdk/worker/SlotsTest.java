package dev.flowstone.sdk.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How many tasks a worker has at most. */
final class SlotsTest {
    @Test
    void asManyPlacesAreLentAsThereAreAndNoMore() throws InterruptedException {
        Slots slots = new Slots(2);
        assertEquals(2, slots.reserve(5));

        assertTrue(slots.lend());
        assertTrue(slots.lend());
        assertFalse(slots.lend());
        assertEquals(2, slots.reserve(5));
        slots.endLoan();

        assertTrue(slots.lend());
        assertEquals(1, slots.reserve(5));
    }

    @Test
    void whoWaitsForAPlaceHasItWhenOneIsFreed() throws Exception {
        Slots slots = new Slots(8);
        assertEquals(8, slots.reserve(8));
        FutureTask<Integer> claim = new FutureTask<>(() -> slots.reserve(8));
        Thread claimer = Thread.ofPlatform().start(claim);
        while (claimer.getState() != Thread.State.WAITING && !claim.isDone()) {
            Thread.onSpinWait();
        }

        slots.release(1);

        assertEquals(1, claim.get(1, TimeUnit.MINUTES));
    }

    @Test
    void whoWaitsForAPlaceEndsWithNoneWhenItIsClosed() throws Exception {
        Slots slots = new Slots(1);
        assertEquals(1, slots.reserve(1));
        FutureTask<Integer> claim = new FutureTask<>(() -> slots.reserve(1));
        Thread.ofPlatform().start(claim);

        slots.close();

        assertEquals(0, claim.get(1, TimeUnit.MINUTES));
    }
}
