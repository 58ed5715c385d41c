package dev.flowstone.server.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DeadlineTest {
    @Test
    void endsAWaitAndLeavesNoTrace() {
        Deadline deadline = new Deadline(Duration.ofMillis(10));
        try (deadline) {
            assertThrows(InterruptedException.class, new CountDownLatch(1)::await);
            Thread.currentThread().interrupt();
            assertTrue(deadline.isOver());
        }
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void interruptsNobodyOnceItIsClosed() {
        for (int i = 0; i < 2_000; i++) {
            try (Deadline _ = new Deadline(Duration.ofNanos(i * 50L))) {
                Thread.onSpinWait();
            }
            assertFalse(Thread.interrupted());
        }
    }

    @Test
    void leavesTheInterruptOfSomebodyElse() {
        try (Deadline _ = new Deadline(Duration.ofMinutes(1))) {
            Thread.currentThread().interrupt();
        }
        assertTrue(Thread.interrupted());
    }
}
