package dev.flowstone.engine.time;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TimeLeftTest {
    private static Thread thread() {
        return Thread.ofVirtual().unstarted(() -> {});
    }

    /** A shard that is won in the moment in which its node is told to stop. */
    @Test
    void aThreadThatIsNotStartedYetIsNotWaitedFor() throws Exception {
        assertFalse(TimeLeft.of(Duration.ofHours(1)).join(thread()));
    }

    @Test
    void aThreadThatHasEndedIsNoticedThoughTheTimeIsOver() throws Exception {
        Thread ended = thread();
        ended.start();
        ended.join();

        TimeLeft over = TimeLeft.of(Duration.ZERO);

        assertTrue(over.isOver());
        assertTrue(over.join(ended));
    }
}
