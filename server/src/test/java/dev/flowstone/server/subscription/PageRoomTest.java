package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** However many pages wait, they have no more than the node's room together, and there is always some left. */
final class PageRoomTest {
    private final PageRoom room = new PageRoom(64_000, 10, 4_000);

    @Test
    void manyPagesShareIt() {
        long taken = 0;
        for (int page = 0; page < 50; page++) {
            long bytes = room.take();
            assertTrue(bytes > 0 && bytes <= 4_000, () -> bytes + " bytes");
            taken += bytes;
        }

        assertTrue(taken < 64_000, taken + " bytes");
        assertEquals(64_000 - taken, room.left());
        room.giveBack(taken);
        assertEquals(4_000, room.take());
    }

    @Test
    void whoHasUsedMoreLeavesLess() {
        long taken = room.take();

        room.giveBack(taken - 100_000);

        assertEquals(10, room.take(), "a little in any case");
        room.giveBack(100_010);
        assertEquals(64_000, room.left());
    }
}
