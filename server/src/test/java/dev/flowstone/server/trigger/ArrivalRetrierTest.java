package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.dead.Retrier.Retried;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.server.execution.Starts;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is said of a letter of something that came for a trigger. */
final class ArrivalRetrierTest {
    @Test
    void whatIsRefusedForNowSaysWhyAndForHowLong() {
        Duration wait = Duration.ofMinutes(7);
        Launched refused = new Launched.Asked(
                "r", new Starts.Outcome.Answered(new StartAnswer.OverQuota("the tenant starts one a minute", wait)));

        assertEquals(
                new Retried.NotYet("QUOTA_EXCEEDED: the tenant starts one a minute", wait),
                ArrivalRetrier.notYet(refused));
    }
}
