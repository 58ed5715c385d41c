package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TemplateTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "plain→plain",
                "a {{ 1 + 1 }} b {{ 'c' }}→a 2 b c",
                "{{ 1 }}{{ 2 }}→12",
                "x{{ null }}y→xy",
                "x{{ trigger.none }}y→xy",
                "x {{ true }}→x true",
                "x {{ [1, 'a'] }}→x [1,\"a\"]",
                "x {{ {b: 1, a: null} }}→x {\"a\":null,\"b\":1}",
                "x {{ '}}' }}→x }}",
                "x {{ \"}}\" + '{{' }}→x }}{{",
                "x {{ {a: {b: 1}}.a.b }}→x 1",
                "x {{ {a: {b: 1}}}}→x {\"a\":{\"b\":1}}",
                "x {{ /[}}]/.test('}') }}→x true",
                "x {{ /a\\/}}/.test('a/}}') }}→x true",
                "x {{ 6 / 2 / 3 }}→x 1",
                "{{ '{{' }} literal }}→{{ literal }}",
                "{ {x} } } }}→{ {x} } } }}",
                " {{ 1 }}→ 1",
                "{{ 1 }} →1 "
            })
    void textWithExpressions(String template, String expected) {
        assertEquals(new JsonString(expected), value(new JsonString(template)));
    }

    @Test
    void templateLiteralInsideAnExpressionMayHoldBraces() {
        assertEquals(new JsonString("x }}7}}"), value(new JsonString("x {{ `}}${ {a: 7}.a }}}` }}")));
    }

    @Test
    void singleExpressionKeepsItsType() {
        assertEquals(JsonNull.NULL, value(new JsonString("{{ trigger.none }}")));
        assertEquals(Sample.json("[1,{\"x\":null}]"), value(new JsonString("{{trigger.payload}}")));
        assertEquals(Sample.json("7615917337495251231"), value(new JsonString("{{\n trigger.n \n}}")));
    }

    @Test
    void onlyStringsAreTouchedAndNoKeys() {
        JsonValue template =
                Sample.json("{\"{{ trigger.n }}\": [1, true, null, {\"a\": \"{{ trigger.tags[0] }}\"}], \"b\": \"c\"}");
        assertEquals(
                Sample.json("{\"{{ trigger.n }}\": [1, true, null, {\"a\": \"red\"}], \"b\": \"c\"}"), value(template));
    }

    @Test
    void whatHoldsNoExpressionIsReturnedItself() {
        JsonObject template = Sample.object("{\"a\": [1, {\"b\": \"text\"}]}");
        assertSame(
                template,
                assertInstanceOf(Rendering.Rendered.class, render(template)).value());
    }

    @Test
    void failureNamesThePlaceInTheTemplateAndInTheString() {
        Rendering.Failed failed = assertInstanceOf(
                Rendering.Failed.class,
                render(Sample.json("{\"a/b\": [0, {\"c~\": \"as {{ 1 }} {{ trigger.no1.x }}\"}]}")));
        assertEquals("/a~1b/1/c~0", failed.pointer());
        assertEquals(
                new ExpressionError("TYPE", "Cannot read 'x' of undefined; write ?. where a value may be missing.", 26),
                failed.error());
    }

    /** Two equal templates must fail alike, whatever the order in which their members were written. */
    @Test
    void firstFailureIsTheFirstByName() {
        Rendering one = render(Sample.json("{\"b\": \"{{ x }}\", \"a\": \"{{ y }}\"}"));
        assertEquals(one, render(Sample.json("{\"a\": \"{{ y }}\", \"b\": \"{{ x }}\"}")));
        assertEquals("/a", assertInstanceOf(Rendering.Failed.class, one).pointer());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "{{ trigger.missing }}→UNKNOWN_NAME",
                "a {{ trigger.missing }}→UNKNOWN_NAME",
                "a {{ nobody }}→UNKNOWN_NAME",
                "{{ }}→SYNTAX",
                "{{}}→SYNTAX",
                "{{ a→SYNTAX",
                "a {{ 'b }}→SYNTAX",
                "{{ 1 / 0 }}→TYPE",
                "{{ trigger.text | upcase }}→FORBIDDEN",
                "{{ for x in y }}→SYNTAX",
                "{{ if a }}b{{ end }}→SYNTAX"
            })
    void refusals(String template, String code) {
        assertEquals(
                code,
                assertInstanceOf(Rendering.Failed.class, render(new JsonString(template)))
                        .error()
                        .code());
    }

    @Test
    void checkNamesEveryFaultWithItsPointer() {
        JsonValue template = Sample.json("{\"b\": \"{{ 1 + }}\", \"a\": [\"ok\", \"{{ x }}\", \"x {{ y = 1 }}\"]}");
        List<TemplateFault> faults = Sample.EXPRESSIONS.checkTemplate(template);
        assertEquals(
                List.of("/a/2", "/b"),
                faults.stream().map(TemplateFault::pointer).toList());
        assertEquals(
                List.of("FORBIDDEN", "SYNTAX"),
                faults.stream().map(fault -> fault.error().code()).toList());
        assertEquals(5, faults.getFirst().error().position());
    }

    @Test
    void manyReferencesToOneLargeValueAreChargedAsTheyWillBeWritten() {
        JsonObject large = Sample.object("{\"trigger\": {\"big\": \"" + "x".repeat(1_000_000) + "\"}}");
        JsonArray template = new JsonArray(Collections.nCopies(100, new JsonString("{{ trigger.big }}")));
        assertEquals(
                "BUDGET_BYTES",
                assertInstanceOf(Rendering.Failed.class, Sample.EXPRESSIONS.render(template, large::get))
                        .error()
                        .code());
    }

    @Test
    void deepTemplateIsRefusedNotOverflowed() {
        JsonValue deep = new JsonString("{{ 1 }}");
        for (int i = 0; i < 100_000; i++) {
            deep = JsonArray.of(deep);
        }
        assertEquals(
                "BUDGET_DEPTH",
                assertInstanceOf(Rendering.Failed.class, render(deep)).error().code());
        assertEquals(
                "BUDGET_DEPTH",
                Sample.EXPRESSIONS.checkTemplate(deep).getFirst().error().code());
        JsonValue data = deep;
        assertEquals(
                "BUDGET_DEPTH",
                assertInstanceOf(
                                Rendering.Failed.class,
                                Sample.EXPRESSIONS.render(new JsonString("{{ trigger }}"), name -> data))
                        .error()
                        .code());
        assertEquals(
                "BUDGET_DEPTH",
                Sample.EXPRESSIONS
                        .condition("trigger === [trigger]", name -> data)
                        .error()
                        .orElseThrow()
                        .code());
    }

    @Test
    void missingFactPassesThrough() {
        Fact fact = new Fact.StoredValue(Sha256.ZERO);
        assertThrows(
                MissingFactException.class,
                () -> Sample.EXPRESSIONS.condition("trigger.x", name -> {
                    throw new MissingFactException(fact);
                }));
        assertThrows(
                MissingFactException.class,
                () -> Sample.EXPRESSIONS.render(new JsonString("{{ trigger }}"), name -> {
                    throw new MissingFactException(fact);
                }));
    }

    @Test
    void manyExpressionsCostWhetherCompiledOrNot() {
        JsonArray template = new JsonArray(Collections.nCopies(5_001, new JsonString("{{ 1 }}")));
        assertEquals(
                "BUDGET_STEPS",
                assertInstanceOf(Rendering.Failed.class, render(template))
                        .error()
                        .code());
        assertEquals(
                "BUDGET_STEPS",
                assertInstanceOf(Rendering.Failed.class, render(template))
                        .error()
                        .code());
        String text = "{{1}}".repeat(200_000);
        assertTrue(render(new JsonString(text)) instanceof Rendering.Failed);
    }

    private static Rendering render(JsonValue template) {
        return Sample.EXPRESSIONS.render(template, Sample.ROOTS);
    }

    private static JsonValue value(JsonValue template) {
        return assertInstanceOf(Rendering.Rendered.class, render(template)).value();
    }
}
