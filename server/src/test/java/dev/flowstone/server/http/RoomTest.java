package dev.flowstone.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.TenantId;
import org.junit.jupiter.api.Test;

final class RoomTest {
    private static final TenantId ONE = new TenantId("one");
    private static final TenantId OTHER = new TenantId("other");

    private static long taken(Room room, TenantId tenant) {
        long count = 0;
        while (room.take(tenant, 1)) {
            count++;
        }
        return count;
    }

    @Test
    void oneTenantLeavesRoomToOthers() {
        Room room = new Room(90);

        assertEquals(80, taken(room, ONE), "eight times as much as is left");
        assertTrue(taken(room, OTHER) > 0, "another finds room");
        assertTrue(room.taken() <= 90);
    }

    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        Room room = new Room(1);

        assertTrue(room.take(ONE, 1));
        assertFalse(room.take(OTHER, 1));
        room.giveBack(ONE, 1);
        assertTrue(room.take(OTHER, 1));
        assertEquals(1, room.refused());
    }

    @Test
    void aTenantThatHoldsNothingMayTakeWhatIsLeft() {
        assertTrue(new Room(100).take(ONE, 100));
    }
}
