package dev.flowstone.bench.torture.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.bench.torture.company.Rest.Answer;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When two nodes said the same. */
final class TwinsTest {
    private static Optional<Answer> answered(int status, String run) {
        return Optional.of(
                new Answer(status, JsonObject.builder().put("executionId", run).build()));
    }

    private static boolean differ(Optional<Answer> one, Optional<Answer> other) {
        return new Twins(one, other).differ(answer -> "" + answer.body().get("executionId"));
    }

    @Test
    void oneRunIsTheSameAndTwoAreNot() {
        assertEquals(false, differ(answered(202, "a"), answered(200, "a")));
        assertEquals(true, differ(answered(202, "a"), answered(202, "b")));
    }

    @Test
    void whatIsNeverKnownIsNoDifference() {
        assertEquals(false, differ(answered(202, "a"), Optional.empty()));
        assertEquals(false, differ(Optional.empty(), Optional.empty()));
    }
}
