package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Times as PostgreSQL sends and takes them: microseconds since 2000. What the database reads of all others, the journal's conformance asks. */
final class BinaryArrayTest {
    private static long sent(Instant time) {
        BinaryArray array = BinaryArray.times(List.of(time), one -> one);
        byte[] bytes = new byte[array.lengthInBytes()];
        array.toBytes(bytes, 0);
        return ByteBuffer.wrap(bytes).getLong(24);
    }

    @Test
    void timesAreMicrosecondsCutOffTowardsThePast() {
        assertEquals(0, sent(Instant.parse("2000-01-01T00:00:00Z")));
        assertEquals(1_000_001, sent(Instant.parse("2000-01-01T00:00:01.000001999Z")));
        assertEquals(-1, sent(Instant.parse("1999-12-31T23:59:59.999999Z")));
        assertEquals(-2, sent(Instant.parse("1999-12-31T23:59:59.999998001Z")));
        assertEquals(252_455_615_999_999_999L, sent(Instant.parse("9999-12-31T23:59:59.999999Z")));
    }

    @Test
    void aTimeBeyondTheDatabasesIsRefused() {
        assertThrows(UnstorableValueException.class, () -> sent(Instant.MAX));
        assertThrows(UnstorableValueException.class, () -> sent(Instant.MIN));
        assertEquals(
                1L << 61,
                sent(Instant.parse("2000-01-01T00:00:00Z")
                        .plusNanos(1_000 * ((1L << 61) % 1_000_000))
                        .plusSeconds((1L << 61) / 1_000_000)));
    }
}
