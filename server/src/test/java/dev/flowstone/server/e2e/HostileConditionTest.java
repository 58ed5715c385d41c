package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.testkit.scenario.History;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Conditions and templates written to escape, to exhaust or to crash, in a running engine. Those that are no expressions are
 * refused when published; the others make their edge false, with the error on record, and harm nobody.
 */
@ExtendWith(SharedHouse.class)
final class HostileConditionTest {
    private static final String LIST = "[" + "0,".repeat(199) + "0]";
    private static final String GROWING = ".map(a => [a,a,a,a,a,a,a,a,a,a])".repeat(12);

    /** Pass as expressions; each with the error that it ends with. */
    private static final Map<String, String> ACCEPTED = accepted();

    /** No expressions of this language. */
    private static final List<String> REFUSED = List.of(
            "java.lang.Runtime.getRuntime().exec('id')",
            "Packages.java.io.File",
            "trigger.getClass()",
            "process.exit(1)",
            "require('fs')",
            "import('fs')",
            "globalThis.process",
            "this.constructor",
            "eval('1')",
            "(0, eval)('1')",
            "Function('return 1')()",
            "new Function('return 1')",
            "new java.io.File('/')",
            "Java.type('java.lang.System')",
            "Reflect.ownKeys(trigger)",
            "new Proxy({}, {})",
            "Date.now()",
            "''.constructor.constructor('return this')()",
            "[].map.call([1])",
            "({}).__proto__.polluted = 1",
            "({}).__defineGetter__('a', 1)",
            "({get a() { return 1 }}).a",
            "({toString() { return 'x' }}) + ''",
            "trigger.polluted = true",
            "trigger.numbers.push('x')",
            "delete trigger.numbers",
            "while (true) {}",
            "for (;;) {}",
            "(() => { while (true) {} })()",
            "(function f() { return f() })()",
            "(f => f(f))(f => f(f))",
            "'x'.repeat(1 << 30)",
            "[...'x'.repeat(1000000)]",
            "/((a{100}){100}){100}/.test('a')",
            "/(a?){200}a{40}/.test('a')",
            "/(?=(a+))a*b\\1/.test('a')",
            "/(?<!a)b/.test('a')",
            "/[/.test('a')",
            "tag`x`",
            "async () => 1",
            "[1].map(function* (x) { yield x })",
            "1) || (true",
            "1}) + ({a: 1",
            "true /*",
            "(".repeat(4_000),
            "!".repeat(4_000) + "1",
            "x".repeat(5_000),
            "");

    private static Map<String, String> accepted() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("({}).__proto__.polluted", "TYPE");
        all.put("[].map.constructor", "TYPE");
        all.put("({valueOf: 1}) + 1", "TYPE");
        all.put("({toString: 'x'}) + ''", "TYPE");
        all.put("trigger.emoji[1]", "TYPE");
        all.put("trigger.emoji.split('')", "TYPE");
        all.put("trigger.nothing.at.all", "TYPE");
        all.put("trigger" + "[0]".repeat(1_300), "TYPE");
        all.put(LIST + ".map(a => " + LIST + ".map(b => " + LIST + ".map(c => 1)))", "BUDGET_STEPS");
        all.put(
                "trigger.numbers" + ".map(a => trigger.numbers".repeat(8) + ".map(z => trigger.numbers.map(y => y)"
                        + ")".repeat(9),
                "BUDGET_STEPS");
        all.put("'ab'.repeat(200000).split('').every(c => 'ab'.includes(c))", "BUDGET_STEPS");
        all.put("'x'.repeat(1073741824)", "BUDGET_BYTES");
        all.put("'x'.repeat(1e300)", "BUDGET_BYTES");
        all.put("'x'.repeat(1000000).repeat(1000000)", "BUDGET_BYTES");
        all.put("'x'.padStart(2147483647)", "BUDGET_BYTES");
        all.put("''.padEnd(2e9, 'ab')", "BUDGET_BYTES");
        all.put("'x'.repeat(1000000).split('')", "BUDGET_STEPS");
        all.put("'x'.repeat(100000).replaceAll('x', 'y'.repeat(100000))", "BUDGET_BYTES");
        all.put("'x'.repeat(100000).split('').join('y'.repeat(1000))", "BUDGET_STEPS");
        all.put("[1,2,3,4,5,6,7,8,9].map(i => 'x'.repeat(400000))", "BUDGET_BYTES");
        all.put("'x'.repeat(1000000) + 'x'.repeat(1000000)", "BUDGET_BYTES");
        all.put("JSON.stringify('\\u0001'.repeat(500000))", "BUDGET_BYTES");
        all.put("[0]" + GROWING + ".map(a => JSON.stringify(a))", "BUDGET_STEPS");
        all.put("[[0]" + GROWING + "].every(a => a === [0]" + GROWING + ")", "BUDGET_STEPS");
        all.put("/(.*)*(.*)*(.*)*x/.test('a'.repeat(1000000))", "BUDGET_STEPS");
        return all;
    }

    @Test
    void everyHostileEdgeIsFalseWithItsErrorOnRecordAndTheEngineIsUnharmed(House house) throws Exception {
        List<String> conditions = new ArrayList<>(ACCEPTED.keySet());
        // These end well, and false: that they end at all is the point.
        conditions.add("/(a+)+$/.test('" + "a".repeat(3_000) + "!')");
        conditions.add("/^(([a-z])+.)+[A-Z]([a-z])+$/.test('" + "a".repeat(3_000) + "')");
        conditions.add("('a'.repeat(500000) + 'b').includes('a'.repeat(250000) + 'c')");
        house.publish(definition("hostile", conditions));

        RunRow row = house.run("hostile", trigger());

        assertEquals(RunStatus.SUCCEEDED, row.status());
        History history = house.history(row);
        List<EvaluatedCondition> evaluated = history.all(EventBody.Transitioned.class).stream()
                .filter(it -> it.activation().node().value().equals("a"))
                .findFirst()
                .orElseThrow()
                .conditions();
        assertEquals(
                conditions,
                evaluated.stream().map(EvaluatedCondition::expression).toList());
        assertEquals(
                conditions.stream()
                        .map(it -> outcome(it, ACCEPTED.getOrDefault(it, "none")))
                        .toList(),
                evaluated.stream().map(HostileConditionTest::outcome).toList());
        assertTrue(evaluated.stream().noneMatch(EvaluatedCondition::result));
        assertEquals(conditions.size(), history.count(EventBody.ActivationSkipped.class));
        assertTrue(house.verifier().run(row.key()).whole());
        unharmed(house, "after-conditions");
    }

    private static String outcome(EvaluatedCondition condition) {
        return outcome(
                condition.expression(),
                condition.error().map(ExpressionError::code).orElse("none"));
    }

    /** In a form that a person can compare. */
    private static String outcome(String source, String code) {
        return source.substring(0, Math.min(60, source.length())) + ": " + code;
    }

    @Test
    void hostileTemplatesFailTheirNodeAndNothingElse(House house) throws Exception {
        List<String> sources = List.copyOf(ACCEPTED.keySet());
        List<JsonValue> nodes = new ArrayList<>();
        nodes.add(node("a", JsonObject.EMPTY, edges(sources.size(), i -> edge("n" + i, "true", "success"))));
        for (int i = 0; i < sources.size(); i++) {
            JsonObject parameters = JsonObject.builder()
                    .put("v", new JsonString("{{ " + sources.get(i) + " }}"))
                    .build();
            nodes.add(node("n" + i, parameters, new JsonArray(List.of(edge("end", "true", "failure")))));
        }
        nodes.add(node("end", JsonObject.EMPTY, new JsonArray(List.of())));
        house.publish(workflow("hostile-templates", nodes));

        RunRow row = house.run("hostile-templates", trigger());

        assertEquals(RunStatus.SUCCEEDED, row.status());
        List<EventBody.TaskFailed> failures = house.history(row).all(EventBody.TaskFailed.class);
        assertTrue(failures.size() > 15, () -> failures.size() + " failed");
        for (EventBody.TaskFailed failure : failures) {
            assertEquals("TEMPLATE_ERROR", failure.error().code());
        }
        unharmed(house, "after-templates");
    }

    @Test
    void whatIsNoExpressionIsRefusedWhenPublishedEachWithItsPointer(House house) throws Exception {
        Answer answer = house.post("/workflows", definition("refused", REFUSED));

        assertEquals("WFENG005", answer.expect(400).text("code"));
        JsonArray faults = (JsonArray) answer.object().find("faults").orElseThrow();
        List<String> pointers = faults.items().stream()
                .map(it -> ((JsonString) ((JsonObject) it).find("pointer").orElseThrow()).value())
                .toList();
        assertEquals(
                IntStream.range(0, REFUSED.size())
                        .mapToObj(i -> "/nodes/0/edges/" + i + "/condition")
                        .toList(),
                pointers,
                answer::text);
    }

    /** Another run goes through at once. */
    private static void unharmed(House house, String id) throws Exception {
        house.publish(definition(id, List.of("trigger.ok")));
        long begin = System.nanoTime();
        RunRow row = house.run(id, "{\"trigger\": {\"ok\": true}}");
        assertEquals(RunStatus.SUCCEEDED, row.status());
        assertEquals(2, house.history(row).count(EventBody.TaskCompleted.class));
        assertTrue(System.nanoTime() - begin < Duration.ofSeconds(5).toNanos());
    }

    /** One node with an edge for each condition. */
    private static String definition(String id, List<String> conditions) {
        List<JsonValue> nodes = new ArrayList<>();
        nodes.add(node(
                "a", JsonObject.EMPTY, edges(conditions.size(), i -> edge("n" + i, conditions.get(i), "success"))));
        for (int i = 0; i < conditions.size(); i++) {
            nodes.add(node("n" + i, JsonObject.EMPTY, new JsonArray(List.of())));
        }
        return workflow(id, nodes);
    }

    private static String workflow(String id, List<JsonValue> nodes) {
        return text(JsonObject.builder()
                .put("id", id)
                .put("displayName", "Hostile")
                .put("startNode", "a")
                .put("nodes", new JsonArray(nodes))
                .build());
    }

    private static JsonArray edges(int count, IntFunction<JsonValue> edge) {
        return new JsonArray(IntStream.range(0, count).mapToObj(edge).toList());
    }

    private static JsonValue edge(String target, String condition, String when) {
        return JsonObject.builder()
                .put("targetNode", target)
                .put("condition", condition)
                .put("when", when)
                .build();
    }

    private static JsonValue node(String id, JsonObject parameters, JsonArray edges) {
        return JsonObject.builder()
                .put("id", id)
                .put("actionType", "core.echo")
                .put("parameters", parameters)
                .put("edges", edges)
                .build();
    }

    private static String trigger() {
        List<JsonValue> numbers =
                IntStream.range(0, 50).<JsonValue>mapToObj(JsonNumber::of).toList();
        JsonObject trigger = JsonObject.builder()
                .put("numbers", new JsonArray(numbers))
                .put("emoji", "a\ud83d\ude00b")
                .build();
        return text(JsonObject.builder().put("trigger", trigger).build());
    }

    private static String text(JsonValue value) {
        return new String(CanonicalJson.exact(value), StandardCharsets.UTF_8);
    }
}
