package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a worker hears of one answer among many: always something, in its place. */
final class TaskBatchRouteTest {
    private static JsonValue text(CompletableFuture<CallAnswer> answer, String member) {
        return text(answer, true, member);
    }

    private static JsonValue text(CompletableFuture<CallAnswer> answer, boolean success, String member) {
        return ((JsonObject) TaskBatchRoute.waited(answer, success, System.nanoTime()))
                .find(member)
                .orElseThrow();
    }

    private static CompletableFuture<CallAnswer> refused(String code) {
        return CompletableFuture.completedFuture(new CallAnswer.Refused(code, "why"));
    }

    @Test
    void aRefusalThatNobodyKnowsIsAFaultOfThatOneOnly() {
        assertEquals(new JsonString("INTERNAL"), text(refused("NO_SUCH_CODE"), "code"));
        assertEquals(
                new JsonString("INTERNAL"),
                text(CompletableFuture.failedFuture(new IllegalStateException("a test's")), "code"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ENGINE_ERROR", "DAMAGED_PROGRAM", "UNKNOWN_PROGRAM"})
    void ofAnExecutionThatIsBrokenItIsNotSaidAgain(String code) {
        assertEquals(new JsonString("conflict"), text(refused(code), "category"));
    }

    @Test
    void whatASuspendedExecutionCannotKeepIsSaidAgain() {
        assertEquals(new JsonString("suspended"), text(refused("SUSPENDED"), "category"));
    }

    @Test
    void aSuccessThatAnExecutionSetAsideCannotHearIsSaidAgainAndAFailureIsNot() {
        assertEquals(new JsonString("suspended"), text(refused("RUN_SET_ASIDE"), true, "category"));
        assertEquals(new JsonString("conflict"), text(refused("RUN_SET_ASIDE"), false, "category"));
    }
}
