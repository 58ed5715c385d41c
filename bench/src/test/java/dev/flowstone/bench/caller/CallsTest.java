package dev.flowstone.bench.caller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CallsTest {
    private static final byte[] ANY = {1};

    @Test
    void theOthersWaitUntilTheyAreReleased() {
        Calls calls = new Calls(List.of(ANY, ANY, ANY), 1);

        assertEquals(0, calls.take());
        assertFalse(calls.isNext());
        calls.again(0);
        assertTrue(calls.isNext(), "one of the first is to be repeated");
        assertEquals(0, calls.take());
        assertFalse(calls.isNext());
        assertFalse(calls.isEmpty());

        calls.release();
        assertTrue(calls.isNext());
        assertEquals(1, calls.take());
        assertEquals(2, calls.take());
        assertFalse(calls.isNext());
        assertTrue(calls.isEmpty());
    }

    @Test
    void aSingleOneIsRepeatedForEver() {
        Calls calls = new Calls(List.of(ANY), Integer.MAX_VALUE);

        for (int call = 0; call < 10; call++) {
            assertTrue(calls.isNext());
            assertEquals(call, calls.take());
            assertEquals(ANY, calls.request(call));
        }
        assertFalse(calls.isEmpty());
    }
}
