package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a decision counts is the same each time, compiled or remembered; {@link HostileTest} compares all of its sources. */
final class StepsTest {
    private static final int SOURCE = ExpressionBudget.STEPS_PER_SOURCE;
    private static final int HOLE = ExpressionBudget.STEPS_PER_TEMPLATE_EXPRESSION;

    /** The least: 200, one for each character, one for each node evaluated. A refused one only has a source. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {"true, 5", "1 + 1, 8", "1 +, 3", "a = 1, 5", "nobody, 7"})
    void conditionsReportTheirSteps(String source, long aboveTheLeast) {
        ScriptExpressions fresh = new ScriptExpressions();
        for (int i = 0; i < 3; i++) {
            assertEquals(
                    SOURCE + aboveTheLeast,
                    fresh.condition(source, Sample.ROOTS).steps());
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {"plain, 0, 0", "{{ 1 }}, 1, 8", "a {{ 1 +, 0, 8", "{{ nobody }}, 1, 13"})
    void templatesReportTheirSteps(String template, long holes, long aboveTheLeast) {
        ScriptExpressions fresh = new ScriptExpressions();
        for (int i = 0; i < 3; i++) {
            assertEquals(
                    SOURCE + holes * HOLE + aboveTheLeast,
                    fresh.render(new JsonString(template), Sample.ROOTS).steps());
        }
    }

    @Test
    void whatExceedsItsBudgetReportsAllOfIt() {
        ExpressionBudget small = new ExpressionBudget(100, 64, 10, 10, 1_000, 64, 1_000, 1_000);
        ScriptExpressions fresh = new ScriptExpressions(small);
        String source = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]";
        assertEquals(
                SOURCE + source.length() + 10,
                fresh.condition(source, Sample.ROOTS).steps());
        assertEquals(
                SOURCE + source.length() + 4 + HOLE + 10,
                fresh.render(new JsonString("{{" + source + "}}"), Sample.ROOTS).steps());
        assertEquals(
                SOURCE + 100, fresh.condition("1 ".repeat(1_000), Sample.ROOTS).steps());
    }

    /** Otherwise conditions that work hard before they ask for a fact would cost nothing. */
    @Test
    void aMissingFactCarriesTheStepsBeforeIt() {
        Fact fact = new Fact.StoredValue(Sha256.ZERO);
        MissingFactException missing = assertThrows(
                MissingFactException.class,
                () -> Sample.EXPRESSIONS.condition("1 + 1 && trigger", name -> {
                    throw new MissingFactException(fact);
                }));
        assertEquals(fact, missing.fact());
        assertEquals(SOURCE + 16 + 5, missing.steps());
    }

    /** Sixteen for a value and two for each character, eight for each element; what is thrown away as well. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = ';',
            value = {"true; 0", "'ab'; 0", "'ab' + 'c'; 22", "[1, 2]; 32", "'a'.repeat(5) && 'b'.repeat(3); 48"})
    void conditionsReportTheirBytes(String source, long bytes) {
        ScriptExpressions fresh = new ScriptExpressions();
        for (int i = 0; i < 3; i++) {
            assertEquals(bytes, fresh.condition(source, Sample.ROOTS).bytes());
        }
    }

    @Test
    void templatesReportTheBytesOfTheirExpressionsAndOfTheResult() {
        ScriptExpressions fresh = new ScriptExpressions();
        long made = 16 + 2 * 5;
        assertEquals(0, fresh.render(new JsonString("plain"), Sample.ROOTS).bytes());
        long one = fresh.render(new JsonString("{{ 'a'.repeat(5) }}"), Sample.ROOTS)
                .bytes();
        assertEquals(2 * made, one);
        JsonArray three = JsonArray.of(
                new JsonString("{{ 'a'.repeat(5) }}"),
                new JsonString("{{ 'a'.repeat(5) }}"),
                new JsonString("{{ 'a'.repeat(5) }}"));
        assertEquals(3 * one, fresh.render(three, Sample.ROOTS).bytes());
    }

    @Test
    void whatExceedsItsBytesReportsAllOfThem() {
        ExpressionBudget small = new ExpressionBudget(100, 64, 10, 10_000, 1_000, 64, 10_000, 1_000);
        ScriptExpressions fresh = new ScriptExpressions(small);
        assertEquals(1_000, fresh.condition("'x'.repeat(9999)", Sample.ROOTS).bytes());
        assertEquals(
                1_000,
                fresh.render(new JsonString("{{ 'x'.repeat(9999) }}"), Sample.ROOTS)
                        .bytes());
    }

    @Test
    void aMissingFactCarriesTheBytesBeforeIt() {
        Fact fact = new Fact.StoredValue(Sha256.ZERO);
        MissingFactException missing = assertThrows(
                MissingFactException.class,
                () -> Sample.EXPRESSIONS.condition("'a'.repeat(5) && trigger", name -> {
                    throw new MissingFactException(fact);
                }));
        assertEquals(16 + 2 * 5, missing.bytes());
    }
}
