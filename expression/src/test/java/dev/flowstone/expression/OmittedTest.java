package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.OmittedException;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was left out of a run's data has no value, whoever asks for it and however. */
final class OmittedTest {
    private static final String SENTENCE = "The output of 'big' (5000 bytes) was left out.";
    private static final Roots ROOTS =
            name -> name.equals("context") ? JsonObject.view(Map.of("data", JsonObject.view(new Data()))) : null;

    private static Optional<ExpressionError> error(String source) {
        Evaluation evaluation = Sample.EXPRESSIONS.condition(source, ROOTS);
        assertEquals(evaluation.error().isEmpty(), evaluation.result());
        return evaluation.error();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "context.data.big",
                "!context.data.big",
                "!context.data.big.blocked",
                "context.data['big'] ?? true",
                "context.data?.big?.blocked ?? true",
                "context.data['b' + 'ig'] === null",
                "Object.values(context.data).length > 0",
                "Object.entries(context.data).length > 0",
                "JSON.stringify(context) !== ''",
                "context.data === { big: 1, small: 7 }",
                "['big'].map(it => context.data[it]).length === 1"
            })
    void aConditionThatReadsItIsFalseAndSaysWhy(String source) {
        ExpressionError error = error(source).orElseThrow(() -> new AssertionError(source));

        assertEquals("CONTEXT_OMITTED", error.code());
        assertEquals(SENTENCE, error.message());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "context.data.small === 7",
                "context.data.none == null",
                "true || context.data.big",
                "Object.keys(context.data).includes('big')",
                "Object.keys(context.data).length === 2"
            })
    void whatDoesNotReadItIsAsEver(String source) {
        assertEquals(Optional.empty(), error(source));
    }

    @Test
    void aTemplateThatReadsItFailsAtItsPlace() {
        Rendering.Failed whole = failed("{{ context.data.big }}");
        assertEquals("/it", whole.pointer());
        assertEquals(new ExpressionError("CONTEXT_OMITTED", SENTENCE, 16), whole.error());

        assertEquals(22, failed("Said: {{ context.data['big'].t }}").error().position());
        assertEquals(-1, failed("{{ context.data }}").error().position(), "no place of it names the node");
        assertEquals(
                "{\"it\":7}",
                CanonicalJson.exactText(
                        assertInstanceOf(Rendering.Rendered.class, rendering("{{ context.data.small }}"))
                                .value()));
    }

    private static Rendering.Failed failed(String text) {
        return assertInstanceOf(Rendering.Failed.class, rendering(text));
    }

    private static Rendering rendering(String text) {
        return Sample.EXPRESSIONS.render(
                JsonObject.builder().put("it", new JsonString(text)).build(), ROOTS);
    }

    /** Two nodes, one of which has lost its output. */
    private static final class Data extends AbstractMap<String, JsonValue> {
        @Override
        public @Nullable JsonValue get(@Nullable Object name) {
            if ("big".equals(name)) {
                throw new OmittedException(SENTENCE);
            }
            return "small".equals(name) ? JsonNumber.of(7) : null;
        }

        @Override
        public Set<String> keySet() {
            return Set.of("big", "small");
        }

        @Override
        public Set<Entry<String, JsonValue>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public int size() {
                    return 2;
                }

                @Override
                public Iterator<Entry<String, JsonValue>> iterator() {
                    return List.of(Map.entry("small", value("small")), Map.entry("big", value("big")))
                            .iterator();
                }
            };
        }

        private JsonValue value(String name) {
            JsonValue value = get(name);
            return value == null ? JsonNumber.of(0) : value;
        }
    }
}
