package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A place that asked to be left alone is, by all who send there. */
final class GateTest {
    private final Gate gate = new Gate(2, 0);

    @Test
    void aPauseIsForAllUntilItIsOver() throws Exception {
        assertFalse(gate.isPaused());
        gate.pause(Duration.ofMillis(200));
        assertTrue(gate.isPaused());

        long begun = System.nanoTime();
        gate.awaitOpen();

        assertTrue(System.nanoTime() - begun >= Duration.ofMillis(100).toNanos());
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
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                gate.awaitOpen();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });

        gate.reopen();

        assertTrue(waiting.join(Duration.ofSeconds(60)));
    }
}
