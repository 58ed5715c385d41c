package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers hear of the engine's refusals. */
final class RefusalsTest {
    /** A batch tells them of one execution and goes on with the next. */
    @ParameterizedTest
    @ValueSource(strings = {"ENGINE_ERROR", "DAMAGED_PROGRAM", "UNKNOWN_PROGRAM"})
    void anExecutionThatIsBrokenIsAProblemOfItsOwnAndTellsNoSecrets(String code) {
        Problem problem = Refusals.exception(code, "secret").problem();

        assertEquals(ProblemCode.INTERNAL, problem.code());
        assertFalse(problem.detail().contains("secret"));
    }

    @Test
    void aCodeThatNobodyKnowsIsAFaultOfOurs() {
        assertThrows(IllegalStateException.class, () -> Refusals.exception("NO_SUCH_CODE", "why"));
    }
}
