package dev.flowstone.triggers.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.triggers.condition.Activation.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ActivationTest {
    private static final Verdict ADMITTED = new Verdict.Admitted();
    private static final Verdict IGNORED = new Verdict.Ignored();

    private final Activation activation = new Activation(new ScriptExpressions());

    private Verdict verdict(String condition, String payload) throws Exception {
        JsonValue came = JsonParser.parse(payload.getBytes(StandardCharsets.UTF_8));
        return activation.verdict(Optional.of(condition), came);
    }

    @Test
    void readsWhatCameAndNothingElse() throws Exception {
        assertEquals(ADMITTED, verdict("trigger.amount > 100", "{\"amount\": 120}"));
        assertEquals(IGNORED, verdict("trigger.amount > 100", "{\"amount\": 100}"));
        assertEquals(ADMITTED, verdict("trigger.length === 2", "[1, 2]"));
        assertEquals(Optional.empty(), activation.fault("trigger.a === 'x' && trigger.b.length > 2"));
        for (String other : new String[] {"context", "spec", "vars", "process"}) {
            String fault = activation.fault("trigger.a && " + other + ".b").orElseThrow();
            assertTrue(fault.contains("'" + other + "'"), fault);
        }
    }

    @Test
    void numbersAreExact() throws Exception {
        String condition = "trigger.n === 9007199254740993";
        assertEquals(ADMITTED, verdict(condition, "{\"n\": 9007199254740993}"));
        assertEquals(IGNORED, verdict(condition, "{\"n\": 9007199254740992}"));
    }

    @Test
    void withoutOneEverythingIsLetIn() {
        assertEquals(ADMITTED, activation.verdict(Optional.empty(), JsonNull.NULL));
    }

    @Test
    void whatCantBeToldIsNeitherTrueNorFalse() throws Exception {
        Verdict.Failed failed = assertInstanceOf(Verdict.Failed.class, verdict("trigger.order.amount > 1", "{}"));
        assertTrue(failed.error().contains("amount"), failed::toString);
    }

    @Test
    void whatCantBeParsedIsAFaultWithItsPlace() {
        String fault = activation.fault("trigger.a >").orElseThrow();
        assertTrue(fault.contains("character"), fault);
    }
}
