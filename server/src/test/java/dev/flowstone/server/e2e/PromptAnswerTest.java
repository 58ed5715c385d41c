package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An answer of several packets is sent at once: it doesn't wait for the client to acknowledge the first (40 ms on Linux). */
@ExtendWith(SharedHouse.class)
final class PromptAnswerTest {
    private static final Duration DELAYED_ACKNOWLEDGEMENT = Duration.ofMillis(40);

    @Test
    void aLongAnswerDoesNotWaitForAnAcknowledgement(House house) throws Exception {
        house.publish("{\"id\": \"prompt\", \"displayName\": \"P\", \"startNode\": \"a\", \"nodes\": [{\"id\": \"a\","
                + " \"actionType\": \"core.echo\", \"parameters\": {\"v\": \"" + "x".repeat(17_000) + "\"}}]}");
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < 30; i++) {
            long begin = System.nanoTime();
            house.get("/workflows/prompt").expect(200);
            fastest = Math.min(fastest, System.nanoTime() - begin);
        }
        long nanos = fastest;
        assertTrue(nanos < DELAYED_ACKNOWLEDGEMENT.toNanos(), () -> "the fastest of 30 took " + nanos + " ns");
    }
}
