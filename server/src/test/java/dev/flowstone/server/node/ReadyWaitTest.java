package dev.flowstone.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How long a node that has begun may take until it is ready. */
final class ReadyWaitTest {
    private static final Duration PATIENCE = Duration.ofMillis(60);

    private static boolean isOver(long since) {
        return System.nanoTime() - since > 4 * PATIENCE.toNanos();
    }

    @Test
    void itIsPatientForSoLongWhileTheDatabaseAnswers() {
        long begun = System.nanoTime();
        ReadyWait wait = new ReadyWait(new DatabaseWait(() -> false), PATIENCE);

        CannotStartException e = assertThrows(CannotStartException.class, () -> wait.until(() -> false, () -> true));

        assertTrue(String.valueOf(e.getMessage()).contains("no shard"), e::toString);
        assertTrue(System.nanoTime() - begun >= PATIENCE.toNanos());
    }

    @Test
    void itWaitsForADatabaseThatIsAwayForAsLongAsItIs() throws Exception {
        long begun = System.nanoTime();
        ReadyWait wait = new ReadyWait(new DatabaseWait(() -> false), PATIENCE);

        wait.until(() -> isOver(begun), () -> false);

        assertTrue(isOver(begun));
    }

    @Test
    void theMinuteBeginsAnewWhenTheDatabaseIsBack() {
        long begun = System.nanoTime();
        AtomicLong lastAway = new AtomicLong(begun);
        ReadyWait wait = new ReadyWait(new DatabaseWait(() -> false), PATIENCE);

        assertThrows(
                CannotStartException.class,
                () -> wait.until(() -> false, () -> {
                    if (isOver(begun)) {
                        return true;
                    }
                    lastAway.set(System.nanoTime());
                    return false;
                }));

        assertTrue(lastAway.get() - begun > PATIENCE.toNanos());
        assertTrue(System.nanoTime() - lastAway.get() >= PATIENCE.toNanos());
    }

    @Test
    void whoIsToldToStopWaitsNoLonger() {
        AtomicBoolean stopped = new AtomicBoolean();
        ReadyWait wait = new ReadyWait(new DatabaseWait(stopped::get), PATIENCE);

        CannotStartException e = assertThrows(
                CannotStartException.class,
                () -> wait.until(
                        () -> {
                            stopped.set(true);
                            return false;
                        },
                        () -> false));

        assertEquals("it was told to stop before it was ready", e.getMessage());
    }

    @Test
    void aDatabaseThatNobodyWaitsForMayBeAwayNoLongerThanThat() {
        ReadyWait wait = new ReadyWait(DatabaseWait.NONE, PATIENCE);

        assertThrows(CannotStartException.class, () -> wait.until(() -> false, () -> false));
    }
}
