package dev.flowstone.templates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.templates.body.Body;
import dev.flowstone.templates.body.BodyLimits;
import dev.flowstone.templates.body.BodyRenderer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies and data made to take memory, time or stack: each ends soon, with a fault that says what was too much. */
final class HostileBodyTest {
    private static final ScriptExpressions EXPRESSIONS = new ScriptExpressions();

    private static JsonArray numbers(int count) {
        return new JsonArray(Collections.nCopies(count, JsonNumber.of(1)));
    }

    private static String outcome(String body, Map<String, JsonValue> answers) {
        return assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            Body.Reading reading = Body.read(body, Set.of("answers"), EXPRESSIONS, BodyLimits.DEFAULT);
            if (reading instanceof Body.Reading.Refused(var faults)) {
                return "refused " + faults.getFirst().code() + " "
                        + faults.getFirst().message();
            }
            Body read = assertInstanceOf(Body.Reading.Read.class, reading).body();
            JsonObject given = JsonObject.of(answers);
            BodyRenderer.Result result = BodyRenderer.render(
                    read, root -> root.equals("answers") ? given : null, EXPRESSIONS, BodyLimits.DEFAULT, text -> text);
            return result instanceof BodyRenderer.Result.Failed(var fault)
                    ? fault.code() + " " + fault.message()
                    : "rendered";
        });
    }

    private static Arguments attack(String body, JsonValue data, String told) {
        return Arguments.of(body, Map.of("a", data), told);
    }

    private static final String LOOP = "{% for x in answers.a %}";
    private static final String END = "{% endfor %}";

    private static String loops(int depth) {
        return IntStream.range(0, depth)
                .mapToObj(i -> "{% for x" + i + " in answers.a %}")
                .collect(Collectors.joining());
    }

    static Stream<Arguments> attacks() {
        JsonString huge = new JsonString("x".repeat(1 << 20));
        return Stream.of(
                attack("x".repeat((256 << 10) + 1), huge, "refused TOO_LARGE"),
                attack("{{ 1 }}".repeat(10_001), huge, "refused TOO_LARGE the body has more than"),
                attack(
                        "{% if true %}".repeat(5_000) + "{% endif %}".repeat(5_000),
                        huge,
                        "refused TOO_LARGE tags stand"),
                attack(loops(33), huge, "refused TOO_LARGE tags stand"),
                attack("{{ " + "(".repeat(5_000) + "1" + ")".repeat(5_000) + " }}", huge, "refused"),
                attack("{{ " + "[".repeat(200_000), huge, "refused BODY_SYNTAX"),
                attack("{{".repeat(100_000), huge, "refused BODY_SYNTAX"),
                attack("{%".repeat(100_000), huge, "refused BODY_SYNTAX"),
                attack("{% raw %}" + "{%     ".repeat(30_000), huge, "refused BODY_SYNTAX"),
                attack("{% if '" + "\\'".repeat(100_000), huge, "refused BODY_SYNTAX"),
                attack("{{ answers.a }}", huge, "TOO_LARGE the document has more than"),
                attack(LOOP + "y" + END, numbers(10_001), "TOO_LARGE loops take more than"),
                attack(
                        LOOP + "{% for y in answers.a %}z" + END + END,
                        numbers(1_000),
                        "TOO_LARGE loops take more than"),
                attack(LOOP + "{{ answers.a.join('') }}" + END, numbers(9_000), "TOO_LARGE"),
                attack("{{ 'x'.repeat(1000000000) }}", huge, "BUDGET_BYTES"),
                attack("{{ " + "'x'.padEnd(100000000)" + " }}", huge, "BUDGET_BYTES"),
                attack(
                        "{{ answers.a.map(x => answers.a.map(y => answers.a.length)) }}",
                        numbers(5_000),
                        "BUDGET_STEPS"),
                attack(
                        LOOP + "{% if answers.a.every(y => y > 0) %}{% endif %}" + END,
                        numbers(6_000),
                        "TOO_LARGE rendering takes"),
                attack(
                        "{% if /(a+)+$/.test(answers.a) %}{% endif %}",
                        new JsonString("a".repeat(50_000) + "!"), "rendered"),
                attack("{{ answers.constructor.constructor('return 1')() }}", huge, "refused FORBIDDEN"),
                attack("{{ answers.a.getClass() }}", huge, "refused FORBIDDEN"),
                attack("{{ answers.__proto__ }}", huge, "UNKNOWN_NAME"));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void endsSoonAndSaysWhy(String body, Map<String, JsonValue> answers, String told) {
        String outcome = outcome(body, answers);

        assertTrue(outcome.startsWith(told), outcome);
        assertTrue(outcome.length() < 1_000, outcome);
        assertEquals(told.equals("rendered"), outcome.equals("rendered"), outcome);
    }

    @Test
    void aDeepValueIsAFaultAndNoOverflow() {
        JsonValue deep = new JsonArray(List.of());
        for (int i = 0; i < 900; i++) {
            deep = new JsonArray(List.of(deep));
        }
        assertTrue(outcome("{{ answers.a }}", Map.of("a", deep)).startsWith("BUDGET_DEPTH"));
    }

    @Test
    void asMuchAsIsAllowedIsRendered() {
        assertEquals("rendered", outcome("x".repeat(256 << 10), Map.of()));
        assertEquals("rendered", outcome(LOOP + "y" + END, Map.of("a", numbers(9_999))));
        String row = "{{ x }}{{ x + 1 }}{{ x }}{{ x }}{{ forloop.index }}";
        assertEquals("rendered", outcome(LOOP + row + END, Map.of("a", numbers(10_000))));
        assertEquals("rendered", outcome("{{ 1 }}".repeat(10_000), Map.of()));
        assertEquals("rendered", outcome("{{ answers.a }}", Map.of("a", new JsonString("x".repeat(512 << 10)))));
        assertEquals("rendered", outcome("{% if true %}".repeat(32) + "{% endif %}".repeat(32), Map.of()));
    }
}
