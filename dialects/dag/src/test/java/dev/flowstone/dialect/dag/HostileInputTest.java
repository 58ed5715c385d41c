package dev.flowstone.dialect.dag;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.dag.DagCompilation.Compiled;
import dev.flowstone.dialect.dag.DagCompilation.Refused;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Whatever the bytes, the answer is a program or at least one error; never an exception. */
final class HostileInputTest {
    private static final List<String> REPLACEMENTS = List.of(
            "null",
            "true",
            "false",
            "0",
            "-1",
            "1.5",
            "1e300",
            "\"\"",
            "\"$start\"",
            "\"{{\"",
            "\"\\u0000\"",
            "\"\\ud83d\\ude00\"",
            "[]",
            "[[]]",
            "[null]",
            "{}",
            "{\"\":{}}",
            "{\"id\":\"a\"}");

    @TestFactory
    Stream<DynamicTest> answersEveryChangeOfAValidDefinition() throws IOException {
        List<String> sources = new ArrayList<>(List.of(DagDialect.starter(), subworkflow()));
        sources.add(Dags.example("branching.json"));
        sources.add(Dags.example("first-match.json"));
        return sources.stream()
                .map(source -> DynamicTest.dynamicTest(source.substring(0, 60), () -> {
                    JsonValue root = parse(source);
                    for (String replacement : REPLACEMENTS) {
                        for (JsonValue changed : mutations(root, parse(replacement))) {
                            answers(CanonicalJson.exact(changed));
                        }
                    }
                    removals(root).forEach(it -> answers(CanonicalJson.exact(it)));
                }));
    }

    @Test
    void answersEveryTextThatIsCutOff() {
        byte[] whole = DagDialect.starter().strip().getBytes(StandardCharsets.UTF_8);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertTrue(answers(cut) instanceof Refused, "cut off at " + length);
        }
    }

    @Test
    void answersRandomBytesInAValidText() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] whole = DagDialect.starter().getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 3_000; i++) {
            byte[] changed = whole.clone();
            for (int n = random.nextInt(4); n >= 0; n--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            try {
                answers(changed);
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("seed " + seed + ", round " + i, e);
            }
        }
    }

    @Test
    void answersTextsMadeToHurt() {
        String deep = "{\"a\":".repeat(100_000);
        String wide = "[" + "0,".repeat(1_000_000) + "0]";
        String number = "{\"id\":" + "9".repeat(100_000) + "}";
        String unknown = "{" + String.join(",", numbered("\"p%d\":0", 50_000)) + "}";
        String faulty = Dags.workflow(numbered("{\"id\":%d,\"x\":0}", 30_000).toArray(String[]::new));
        String twins = Dags.workflow(numbered("{\"id\":\"a\",\"edges\":[{\"targetNode\":\"a\"}]}", 30_000)
                .toArray(String[]::new));
        String strangers =
                Dags.workflow(numbered("{\"id\":\"n%d\",\"actionType\":\"x%<d\",\"onFailure\":\"m%<d\"}", 20_000)
                        .toArray(String[]::new));
        for (String text : List.of(deep, wide, number, unknown, faulty, twins, strangers, "\uFEFF{}", "{}{}", "\0")) {
            assertTrue(answers(text.getBytes(StandardCharsets.UTF_8)) instanceof Refused);
        }
    }

    @Test
    void answersSchemasMadeToHurt() {
        List<String> schemas = List.of(
                "{\"$ref\":\"#\"}",
                "{\"allOf\":[{\"$ref\":\"#\"}]}",
                "{\"definitions\":{\"a\":{\"$ref\":\"#/definitions/b\"},\"b\":{\"$ref\":\"#/definitions/a\"}},\"$ref\":\"#/definitions/a\"}",
                "{\"properties\":{\"a\":{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}}}",
                "{\"items\":{\"$ref\":\"#\"},\"allOf\":[{\"items\":{\"$ref\":\"#\"}}]}",
                "{\"$id\":\"file:///etc/passwd\",\"$ref\":\"#/x\"}",
                "{\"$id\":\"http://example.com/\",\"properties\":{\"a\":{\"$id\":\"other\",\"$ref\":\"#/definitions/x\"}}}",
                "{\"multipleOf\":1e-300,\"maximum\":1e300}",
                "{\"patternProperties\":{\"(a*)*$\":{}}}",
                "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$dynamicRef\":\"#\"}");
        String payload = "{\"a\":".repeat(100) + "1" + "}".repeat(100);
        for (String schema : schemas) {
            String source = Dags.workflow(Dags.node("a"))
                    .replaceFirst(
                            "\\{",
                            "{\"triggerSchema\":" + schema.replace("\\", "\\\\").replace("$", "\\$") + ",");
            if (answers(source.getBytes(StandardCharsets.UTF_8)) instanceof Compiled compiled) {
                for (String trigger :
                        List.of(payload, "{}", "[[[[[[]]]]]]", "1e308", "\"" + "a".repeat(10_000) + "\"")) {
                    DagDialect.checkTrigger(compiled.program(), parse(trigger));
                }
            }
        }
    }

    @Test
    void quotesUserTextWithoutWhatATerminalObeys() {
        String source =
                Dags.workflow("{\"id\":\"a\",\"actionType\":\"x\\u001b[2J\\u202e\\n" + "y".repeat(5_000) + "\"}");

        for (Fault fault : Dags.compile(source).faults()) {
            assertFalse(fault.toString().chars().anyMatch(Character::isISOControl), fault::toString);
            assertFalse(fault.toString().contains("\u202e"), fault::toString);
            assertTrue(fault.toString().length() < 1_000, fault::toString);
        }
    }

    private static DagCompilation answers(byte[] source) {
        DagCompilation answer = Dags.DIALECT.compile(source, DagOptions.DEFAULT, Dags.ACTIONS);
        switch (answer) {
            case Compiled(Program program, List<Fault> faults) ->
                assertFalse(faults.stream().anyMatch(Fault::isError), () -> program + " " + faults);
            case Refused(List<Fault> faults) -> assertTrue(faults.stream().anyMatch(Fault::isError), faults::toString);
        }
        return answer;
    }

    private static List<String> numbered(String pattern, int count) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(String.format(java.util.Locale.ROOT, pattern, i));
        }
        return texts;
    }

    private static JsonValue parse(String text) {
        try {
            return JsonParser.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** The value with the replacement in the place of each value in it, one at a time. */
    private static List<JsonValue> mutations(JsonValue value, JsonValue replacement) {
        List<JsonValue> changed = new ArrayList<>(List.of(replacement));
        switch (value) {
            case JsonObject object ->
                object.members().forEach((name, member) -> {
                    for (JsonValue inner : mutations(member, replacement)) {
                        changed.add(with(object, name, inner));
                    }
                });
            case JsonArray array -> {
                for (int i = 0; i < array.items().size(); i++) {
                    for (JsonValue inner : mutations(array.items().get(i), replacement)) {
                        List<JsonValue> items = new ArrayList<>(array.items());
                        items.set(i, inner);
                        changed.add(new JsonArray(items));
                    }
                }
            }
            default -> {}
        }
        return changed;
    }

    /** The value without each member or item in it, one at a time. */
    private static List<JsonValue> removals(JsonValue value) {
        List<JsonValue> changed = new ArrayList<>();
        switch (value) {
            case JsonObject object ->
                object.members().forEach((name, member) -> {
                    Map<String, JsonValue> rest = new LinkedHashMap<>(object.members());
                    rest.remove(name);
                    changed.add(JsonObject.of(rest));
                    removals(member).forEach(inner -> changed.add(with(object, name, inner)));
                });
            case JsonArray array -> {
                for (int i = 0; i < array.items().size(); i++) {
                    List<JsonValue> rest = new ArrayList<>(array.items());
                    rest.remove(i);
                    changed.add(new JsonArray(rest));
                    for (JsonValue inner : removals(array.items().get(i))) {
                        List<JsonValue> items = new ArrayList<>(array.items());
                        items.set(i, inner);
                        changed.add(new JsonArray(items));
                    }
                }
            }
            default -> {}
        }
        return changed;
    }

    private static JsonObject with(JsonObject object, String name, JsonValue member) {
        Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
        members.put(name, member);
        return JsonObject.of(members);
    }

    private static String subworkflow() {
        return "{\"id\":\"parent-workflow\",\"displayName\":\"Parent with Child Workflow\",\"startNode\":\"c\",\"nodes\":[{"
                + "\"id\":\"c\",\"nodeType\":\"subworkflow\",\"workflowId\":\"child\",\"workflowVersion\":2,"
                + "\"waitForCompletion\":true,\"parameters\":{\"input\":\"{{ trigger.data }}\"},\"policies\":{\"timeoutMs\":1},"
                + "\"edges\":[{\"targetNode\":\"d\",\"when\":\"success\"}]},{\"id\":\"d\",\"actionType\":\"core.delay\","
                + "\"parameters\":{\"duration\":\"PT1S\"}}]}";
    }
}
