package dev.flowstone.bench.torture.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which takeovers come too late. */
final class FaultRecordTest {
    private static final Duration LONGEST = Duration.ofSeconds(14);

    private static boolean isLate(FaultKind kind, long recoveryMillis) {
        return new FaultRecord(
                        kind,
                        "node-1",
                        0,
                        3,
                        Optional.of(Duration.ofMillis(recoveryMillis)),
                        Optional.of(Duration.ofSeconds(1)))
                .isTakenOverLate(LONGEST);
    }

    @Test
    void aNodeThatIsAwayIsReplacedInTime() {
        for (FaultKind kind : FaultKind.values()) {
            boolean away = kind == FaultKind.KILL || kind == FaultKind.PAUSE || kind == FaultKind.HALF_OPEN;
            assertEquals(false, isLate(kind, 14_000), kind.word());
            assertEquals(away, isLate(kind, 14_001), kind.word());
        }
    }

    @Test
    void whatNeverRecoveredIsLate() {
        FaultRecord never =
                new FaultRecord(FaultKind.KILL, "node-1", 0, 3, Optional.empty(), Optional.of(Duration.ofSeconds(1)));

        assertEquals(true, never.isTakenOverLate(LONGEST));
    }
}
