package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.server.http.ProblemCode;
import org.junit.jupiter.api.Test;

final class TriggerStartTest {
    @Test
    void whatAnotherNodeRefusesIsToldAsItWasThere() {
        assertEquals(ProblemCode.SIGNAL_BUFFER_FULL, code("SIGNAL_BUFFER_FULL"));
        assertEquals(ProblemCode.LIMIT_EXCEEDED, code("LIMIT_EXCEEDED"));
        assertEquals(ProblemCode.UNAVAILABLE, code("UNAVAILABLE"));
        assertEquals(
                "as it was there",
                TriggerStart.refusedThere("UNAVAILABLE", "as it was there")
                        .problem()
                        .detail());
    }

    private static ProblemCode code(String there) {
        return TriggerStart.refusedThere(there, "full").problem().code();
    }
}
