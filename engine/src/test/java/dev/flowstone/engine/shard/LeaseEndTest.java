package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a shard learns about a lease that had run out. */
final class LeaseEndTest {
    private static final Instant BEGIN = Instant.parse("2026-11-28T10:00:00Z");

    @Test
    void thatItHadLapsedIsToldOnce() {
        AtomicReference<Instant> now = new AtomicReference<>(BEGIN);
        LeaseEnd end = new LeaseEnd(() -> requireNonNull(now.get()), BEGIN.plusSeconds(10));

        end.extend(BEGIN.plusSeconds(20));
        assertFalse(end.hadLapsed());
        now.set(BEGIN.plusSeconds(20));
        assertTrue(end.isOver());
        end.extend(BEGIN.plusSeconds(30));

        assertFalse(end.isOver());
        assertTrue(end.hadLapsed());
        assertFalse(end.hadLapsed());
    }

    /** The shard's thread may look at the moment at which another prolongs it. */
    @Test
    void whoeverSawItOverLearnsThatItHadLapsed() {
        AtomicReference<LeaseEnd> lease = new AtomicReference<>();
        // It runs out while it is prolonged, before the new end stands.
        LeaseEnd end = new LeaseEnd(
                () -> requireNonNull(lease.get()).until().equals(BEGIN) ? BEGIN.minusNanos(1) : BEGIN, BEGIN);
        lease.set(end);

        end.extend(BEGIN.plusSeconds(10));

        assertTrue(end.hadLapsed());
    }
}
