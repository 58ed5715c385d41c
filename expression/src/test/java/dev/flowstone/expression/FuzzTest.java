package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Seeded random sources: nothing is thrown, everything can be written as JSON, twice is the same as once. */
final class FuzzTest {
    private static final long SEED = 20_261_127;
    private static final int TOKEN_SOUPS = 2_500;
    private static final int EXPRESSIONS = 2_500;

    private static final List<String> TOKENS = List.of(
            ("( ) [ ] { } . , ; : ? ?. ?? => + - * / % ** ! ~ & | ^ && || < > <= >= === !== == != = += ++ ... ` ${ ' \" \\ / }} {{ "
                            + "a trigger context data vars trigger.tags trigger.list trigger.emoji 'x' \"y\" 0 1 1.5 1e3 0x1F 7n true false null undefined NaN "
                            + "typeof void new delete in instanceof this function return if x => x.y map( filter( some( .length .includes( "
                            + "/a+/ /(a|b)*/g .test( .match( Math.max( Object.keys( JSON.stringify( String( 'a'.repeat( 😀 \u2028 \u0000 é #")
                    .split(" "));

    @Test
    void tokenSoupsThrowNothing() {
        Random random = new Random(SEED);
        for (int i = 0; i < TOKEN_SOUPS; i++) {
            StringBuilder source = new StringBuilder();
            int tokens = 1 + random.nextInt(16);
            for (int at = 0; at < tokens; at++) {
                source.append(TOKENS.get(random.nextInt(TOKENS.size()))).append(random.nextInt(3) == 0 ? " " : "");
            }
            verify(source.toString(), i);
        }
    }

    @Test
    void grownExpressionsThrowNothing() {
        Random random = new Random(SEED + 1);
        int compiled = 0;
        for (int i = 0; i < EXPRESSIONS; i++) {
            String source = new Growth(random).expression(4);
            verify(source, i);
            compiled += Sample.EXPRESSIONS.checkCondition(source).isEmpty() ? 1 : 0;
        }
        int most = compiled;
        assertTrue(compiled > EXPRESSIONS / 2, () -> "only " + most + " compile: the generator tests little");
    }

    private static void verify(String source, int round) {
        try {
            Evaluation once = Sample.EXPRESSIONS.condition(source, Sample.ROOTS);
            assertEquals(once, new ScriptExpressions().condition(source, Shuffled.ROOTS));
            assertFalse(once.error().isPresent() && once.result());
            CanonicalJson.exact(once.read());
            once.error().ifPresent(error -> CanonicalJson.exact(new JsonString(error.message())));
            JsonString template = new JsonString("{{" + source + "}}");
            Rendering rendering = Sample.EXPRESSIONS.render(template, Sample.ROOTS);
            assertEquals(rendering, new ScriptExpressions().render(template, Shuffled.ROOTS));
            if (rendering instanceof Rendering.Rendered rendered) {
                CanonicalJson.exact(rendered.value());
            }
            Sample.EXPRESSIONS.render(new JsonString("a {{" + source + "}} b"), Sample.ROOTS);
            Sample.EXPRESSIONS.checkTemplate(template);
            Sample.EXPRESSIONS.templateReferences(template);
            Optional<?> fault = Sample.EXPRESSIONS.checkCondition(source);
            assertTrue(fault.isEmpty() || once.error().equals(fault));
        } catch (RuntimeException | StackOverflowError | AssertionError thrown) {
            throw new AssertionError("seed " + SEED + ", round " + round + ": " + source, thrown);
        }
    }

    /** The same data with every object's members in the opposite order: no answer may differ. */
    private static final class Shuffled {
        static final Roots ROOTS = ((JsonObject) reversed(Sample.DATA))::get;

        private static JsonValue reversed(JsonValue value) {
            return switch (value) {
                case JsonArray array ->
                    new JsonArray(array.items().stream().map(Shuffled::reversed).toList());
                case JsonObject object -> {
                    List<String> names = new ArrayList<>(object.members().keySet());
                    Collections.reverse(names);
                    Map<String, JsonValue> members = new LinkedHashMap<>();
                    for (String name : names) {
                        members.put(name, reversed(object.find(name).orElseThrow()));
                    }
                    yield JsonObject.of(members);
                }
                default -> value;
            };
        }
    }

    /** Grows expressions that mostly compile. */
    private record Growth(Random random) {
        private static final List<String> LEAVES = List.of(
                "1",
                "0.5",
                "'a'",
                "''",
                "true",
                "null",
                "undefined",
                "NaN",
                "7615917337495251231",
                "trigger",
                "trigger.tags",
                "trigger.list",
                "trigger.numbers",
                "trigger.text",
                "trigger.emoji",
                "trigger.missing",
                "trigger.none",
                "trigger.n",
                "context.data",
                "spec.answers",
                "vars",
                "x",
                "nobody",
                "[]",
                "{}",
                "'12'",
                "Infinity",
                "-0",
                "trigger.d",
                "1e21");
        private static final List<String> BINARY =
                List.of("+", "-", "*", "/", "%", "===", "!==", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "in");
        private static final List<String> CALLS = List.of(
                ".length",
                "?.length",
                ".includes(%s)",
                ".indexOf(%s)",
                ".slice(%s)",
                ".slice(1, %s)",
                ".at(%s)",
                ".concat(%s)",
                ".join(%s)",
                ".split(%s)",
                ".map(x => %s)",
                ".filter(x => %s)",
                ".some(x => %s)",
                ".every((x, i) => %s)",
                ".find(x => %s)",
                "[%s]",
                "?.[%s]",
                ".trim()",
                ".toUpperCase()",
                ".repeat(%s)",
                ".padStart(%s, 'ab')",
                ".replaceAll(%s, '$&-')",
                ".replace('a', %s)",
                ".substring(%s)",
                ".startsWith(%s)",
                ".toFixed(%s)",
                ".toString()",
                ".match(/(a|e)./g)",
                ".items",
                "['a']",
                ".n",
                ".charAt(%s)");
        private static final List<String> FUNCTIONS = List.of(
                "Number(%s)",
                "String(%s)",
                "Boolean(%s)",
                "Math.max(%s, 3)",
                "Math.floor(%s)",
                "Math.round(%s)",
                "Math.abs(%s)",
                "Object.keys(%s)",
                "Object.entries(%s)",
                "Array.isArray(%s)",
                "JSON.stringify(%s)",
                "/e.*o/i.test(%s)",
                "`a${%s}b`",
                "[%s]",
                "{a: %s}",
                "!%s",
                "-%s",
                "+%s",
                "typeof %s");

        String expression(int depth) {
            if (depth == 0 || random.nextInt(6) == 0) {
                return pick(LEAVES);
            }
            return switch (random.nextInt(6)) {
                case 0, 1 -> "(" + expression(depth - 1) + ")" + fill(pick(CALLS), depth);
                case 2 -> fill(pick(FUNCTIONS), depth);
                case 3 ->
                    "(" + expression(depth - 1) + " ? " + expression(depth - 1) + " : " + expression(depth - 1) + ")";
                case 4 -> "(" + expression(depth - 1) + " ?? " + expression(depth - 1) + ")";
                default -> "(" + expression(depth - 1) + " " + pick(BINARY) + " " + expression(depth - 1) + ")";
            };
        }

        private String fill(String form, int depth) {
            return form.replace("%s", "(" + expression(depth - 1) + ")");
        }

        private String pick(List<String> of) {
            return of.get(random.nextInt(of.size()));
        }
    }
}
