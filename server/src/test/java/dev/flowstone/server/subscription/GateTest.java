package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A place that asked to be left alone is, by all who send there. */
final class GateTest {
    private final Gate gate = new Gate(2, 0);

    @Test
    void aPauseIsForAllUntilItIsOver() throws Exception {
        assertFalse(gate.isPaused());
        long begun = System.nanoTime();
        gate.pause(Duration.ofMillis(200));

        gate.awaitOpen();

        assertTrue(System.nanoTime() - begun >= Duration.ofMillis(200).toNanos());
        assertFalse(gate.isPaused());
    }

    @Test
    void aShorterPauseDoesNotEndALongerOne() {
        gate.pause(Duration.ofDays(1_000_000));
        gate.pause(Duration.ofNanos(1));

        assertTrue(gate.isPaused());
    }

    @Test
    void whoeverReopensItLetsAllIn() throws Exception {
        gate.pause(Duration.ofHours(1));
        assertTrue(gate.isPaused());
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                gate.awaitOpen();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });

        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(System.nanoTime() < end, () -> waiting.getState().toString());
            LockSupport.parkNanos(1_000_000);
        }

        gate.reopen();

        assertTrue(waiting.join(Duration.ofSeconds(60)));
    }
}
