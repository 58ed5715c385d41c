package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class ReferencesTest {
    @Test
    void nodesAreNamedHoweverTheyAreWritten() {
        assertEquals(
                Set.of("get-item", "b", "c", "7"),
                Sample.EXPRESSIONS.nodeReferences(
                        "context.data['get-item'].x && context.data.b && context?.data?.['c']?.d || context.data[7]"));
    }

    @Test
    void rootsAreThoseThatNoParameterHides() {
        References references = Sample.EXPRESSIONS.conditionReferences("trigger.a.some(x => x.b === vars.c && y)");
        assertEquals(new References(Set.of("trigger", "vars", "y"), Set.of(), false), references);
    }

    @Test
    void whatCannotBeKnownIsSaid() {
        assertEquals(
                true,
                Sample.EXPRESSIONS
                        .conditionReferences("context.data[trigger.x]")
                        .readsAnyNode());
        assertEquals(
                true,
                Sample.EXPRESSIONS
                        .conditionReferences("Object.keys(context.data)")
                        .readsAnyNode());
        assertEquals(
                true,
                Sample.EXPRESSIONS.conditionReferences("context[trigger.x].y").readsAnyNode());
        assertEquals(
                true,
                Sample.EXPRESSIONS
                        .conditionReferences("JSON.stringify(context)")
                        .readsAnyNode());
        assertEquals(
                false,
                Sample.EXPRESSIONS.conditionReferences("context.data.a.b").readsAnyNode());
    }

    @Test
    void templatesNameWhatAllTheirStringsName() {
        assertEquals(
                new References(Set.of("context", "spec"), Set.of("a", "b"), false),
                Sample.EXPRESSIONS.templateReferences(
                        Sample.json(
                                "{\"x\": [\"{{ context.data.a }} {{ spec.q }}\", \"{{ context.data['b'] }}\"], \"y\": \"{{ 1 + }}\"}")));
    }

    @Test
    void whatDoesNotCompileNamesNothing() {
        assertEquals(References.NONE, Sample.EXPRESSIONS.conditionReferences("context.data.a +"));
    }
}
