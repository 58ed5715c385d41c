package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.Retrier.Retried;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.trigger.Result;
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

    @Test
    void aNodeThatFailsOrShutsUsOutIsNoFaultOfTheSenders() {
        assertEquals(
                new Retried.NotYet("BUSY: a shard moves", Duration.ZERO),
                ArrivalRetrier.refused(Result.refused("BUSY", "a shard moves")));
        assertEquals(DeadReason.VALIDATION, reason("WFENG005"));
        assertEquals(DeadReason.POISON, reason("INTERNAL"));
        assertEquals(DeadReason.POISON, reason("FORBIDDEN"));
        assertEquals(DeadReason.POISON, reason(""));
    }

    private static DeadReason reason(String code) {
        return assertInstanceOf(Retried.Failed.class, ArrivalRetrier.refused(Result.refused(code, "as the test says")))
                .reason();
    }
}
