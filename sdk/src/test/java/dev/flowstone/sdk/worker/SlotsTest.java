package dev.flowstone.sdk.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
}
