package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.json.JsonString;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every condition and every template of dataflow.md, §15. None of its examples uses a Scriban function or filter. */
final class SpecificationTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "context.data['get-item'].items[0].Status === 'Approved', true",
                "context.data['get-item'].items[0].Status !== 'Approved', false",
                "true, true",
                "false, false"
            })
    void conditions(String source, boolean expected) {
        assertEquals(
                expected, Sample.EXPRESSIONS.condition(source, Sample.ROOTS).result());
        assertTrue(Sample.EXPRESSIONS.condition(source, Sample.ROOTS).error().isEmpty());
    }

    static Stream<Arguments> templates() {
        return Stream.of(
                arguments("{{ trigger.boardId }}", "7"),
                arguments("{{ trigger.channelId }}", "\"C456\""),
                arguments(
                        "Found {{ context.data['fetch-items'].items.length }} items in progress.",
                        "\"Found 3 items in progress.\""),
                arguments("{{ trigger.itemId }}", "\"i-1\""),
                arguments("{{ context.data['get-item'].items[0].Name }} - Project Brief", "\"Apollo - Project Brief\""),
                arguments(
                        "Project '{{ context.data['get-item'].items[0].Name }}' is not approved.",
                        "\"Project 'Apollo' is not approved.\""),
                arguments(
                        "Onboarding failed at {{ context.data['get-item'].errorNode ?? 'unknown' }}.",
                        "\"Onboarding failed at unknown.\""),
                arguments("{{ trigger.data }}", "{\"a\":[1,2]}"),
                arguments(
                        "Child workflow completed with: {{ context.data['invoke-child'].outputs.result }}",
                        "\"Child workflow completed with: fine\""),
                arguments("{{ trigger.spec.answers }}", "{\"title\":\"T\"}"),
                arguments("{{ trigger.spec.answers.title }} - Project Brief", "\"T - Project Brief\""),
                arguments("{{ context.data['render-template'].body }}", "\"<p>body</p>\""),
                arguments("{{ trigger.payload }}", "[1,{\"x\":null}]"),
                arguments("{{ trigger.timestamp }}", "\"2026-01-01\""),
                arguments("{{ spec.templateSetId }}", "\"project-briefs\""),
                arguments("{{ spec.templateId }}", "\"mobile-app\""),
                arguments("{{ spec.templateVersion }}", "1"),
                arguments(
                        "{{ spec.answers }}",
                        "{\"stakeholders\":[\"@doug\",\"@alice\"],\"title\":\"Recommendation Engine Redesign\"}"),
                arguments(
                        "{{ spec.answers.title }} - Project Brief",
                        "\"Recommendation Engine Redesign - Project Brief\""),
                arguments(
                        "✅ Project brief created: {{ context.data['create-confluence'].url }}",
                        "\"✅ Project brief created: https://example.org/1\""));
    }

    @ParameterizedTest
    @MethodSource
    void templates(String template, String expected) {
        assertEquals(
                Sample.json(expected),
                assertInstanceOf(
                                Rendering.Rendered.class,
                                Sample.EXPRESSIONS.render(new JsonString(template), Sample.ROOTS))
                        .value());
        assertEquals(List.of(), Sample.EXPRESSIONS.checkTemplate(new JsonString(template)));
    }

    @Test
    void failedNodeNamesItself() {
        assertEquals("\"failed\"", Sample.value("context.data['failed'].errorNode ?? 'unknown'"));
        assertEquals("\"unknown\"", Sample.value("context.data['get-item'].errorNode ?? 'unknown'"));
        assertEquals("TYPE", Sample.value("context.data['skipped'].errorNode ?? 'unknown'"));
        assertEquals("\"unknown\"", Sample.value("context.data['skipped']?.errorNode ?? 'unknown'"));
    }

    /** §6.2: an error is false, and recorded. */
    @Test
    void conditionThatFailsIsFalseAndSaysWhy() {
        Evaluation evaluation = Sample.EXPRESSIONS.condition("context.data['later'].x === 1", Sample.ROOTS);
        assertFalse(evaluation.result());
        assertEquals("TYPE", evaluation.error().orElseThrow().code());
        assertEquals(22, evaluation.error().orElseThrow().position());
        assertEquals(Sample.json("{\"context.data.later\": {\"kind\": \"undefined\"}}"), evaluation.read());
    }
}
