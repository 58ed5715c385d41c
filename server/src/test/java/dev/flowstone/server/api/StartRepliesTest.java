package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import org.junit.jupiter.api.Test;

/** What a refused start is told. */
final class StartRepliesTest {
    private static final String INSIDE = "the decision failed: java.lang.IllegalStateException: at node x";

    private static Problem refused(String code) {
        return StartReplies.refused(new StartAnswer.Refused(code, INSIDE)).problem();
    }

    @Test
    void aFaultOfOursSaysNothingOfOurInsides() {
        assertEquals(ProblemCode.INTERNAL, refused("ENGINE_ERROR").code());
        assertEquals(ProblemCode.INVALID_REQUEST, refused("BAD_DATA").code());
        for (String code : new String[] {"ENGINE_ERROR", "BAD_DATA"}) {
            assertFalse(refused(code).detail().contains("java"), code);
        }
        assertEquals(ProblemCode.SUSPENDED, refused("SUSPENDED").code());
        assertEquals(ProblemCode.NOT_EXECUTABLE, refused("INPUT_TOO_LARGE").code());
    }
}
