package dev.flowstone.templates.body;

import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import java.util.function.UnaryOperator;

/** One rendering of one body. Recurses as deep as tags stand in each other, which is bounded. */
public final class BodyRenderer {
    private final Body body;
    private final Expressions expressions;
    private final BodyLimits limits;
    private final UnaryOperator<String> escaping;
    private final StringBuilder out = new StringBuilder();
    private long steps;
    private long bytes;
    private int turns;

    private BodyRenderer(Body body, Expressions expressions, BodyLimits limits, UnaryOperator<String> escaping) {
        this.body = body;
        this.expressions = expressions;
        this.limits = limits;
        this.escaping = escaping;
    }

    /** What came of it. */
    public sealed interface Result {
        record Rendered(String text) implements Result {}

        record Failed(BodyFault fault) implements Result {}
    }

    /**
     * Renders it.
     *
     * @param escaping what is done to each value's text before it is put in
     */
    public static Result render(
            Body body, Roots roots, Expressions expressions, BodyLimits limits, UnaryOperator<String> escaping) {
        BodyRenderer renderer = new BodyRenderer(body, expressions, limits, escaping);
        try {
            renderer.render(body.parts(), roots);
            return new Result.Rendered(renderer.out.toString());
        } catch (BodyFaultException e) {
            return new Result.Failed(e.fault());
        }
    }

    private void render(List<Part> parts, Roots roots) throws BodyFaultException {
        for (Part part : parts) {
            switch (part) {
                case Part.Text(String text) -> append(text, 0);
                case Part.Hole(Part.Expression expression) ->
                    append(escaping.apply(text(expression, roots)), expression.offset());
                case Part.Choice choice -> choice(choice, roots);
                case Part.Loop loop -> loop(loop, roots);
            }
        }
    }

    private void append(String text, int offset) throws BodyFaultException {
        if (text.length() > limits.outputChars() - out.length()) {
            throw tooMuch(offset, "the document has more than " + limits.outputChars() + " characters");
        }
        out.append(text);
    }

    private void choice(Part.Choice choice, Roots roots) throws BodyFaultException {
        for (Part.Branch branch : choice.branches()) {
            if (holds(branch.condition(), roots)) {
                render(branch.parts(), roots);
                return;
            }
        }
        render(choice.otherwise(), roots);
    }

    private boolean holds(Part.Expression condition, Roots roots) throws BodyFaultException {
        Evaluation evaluation = expressions.condition(condition.source(), roots);
        count(evaluation.steps(), evaluation.bytes(), condition.offset());
        if (evaluation.error().isPresent()) {
            ExpressionError error = evaluation.error().get();
            throw failed(condition, condition.offset() + Math.max(0, error.position()), error);
        }
        return evaluation.result();
    }

    private void loop(Part.Loop loop, Roots roots) throws BodyFaultException {
        JsonValue list = value(loop.list(), loop.list().value(), 0, roots);
        if (!(list instanceof JsonArray(List<JsonValue> items))) {
            throw fault(
                    loop.list().offset(),
                    "TYPE",
                    Quoted.text(loop.list().source().strip()) + " is no list",
                    "send a list; where there may be none, write ?? []");
        }
        for (int i = 0; i < items.size(); i++) {
            if (++turns > limits.turns()) {
                throw tooMuch(loop.list().offset(), "loops take more than " + limits.turns() + " turns in all");
            }
            render(loop.parts(), inTurn(roots, loop.name(), items.get(i), i, items.size()));
        }
        if (items.isEmpty()) {
            render(loop.otherwise(), roots);
        }
    }

    private static Roots inTurn(Roots outer, String name, JsonValue item, int index, int length) {
        JsonObject turn = JsonObject.builder()
                .put("index", JsonNumber.of(index + 1L))
                .put("first", JsonBoolean.of(index == 0))
                .put("last", JsonBoolean.of(index == length - 1))
                .put("length", JsonNumber.of(length))
                .build();
        return root -> root.equals(name) ? item : root.equals(BodyReader.LOOP) ? turn : outer.root(root);
    }

    private String text(Part.Expression expression, Roots roots) throws BodyFaultException {
        JsonValue value = value(expression, expression.text(), 1, roots);
        return ((JsonString) value).value().substring(1);
    }

    /** @param before what stands in the template before the expression's braces */
    private JsonValue value(Part.Expression expression, JsonString template, int before, Roots roots)
            throws BodyFaultException {
        Rendering rendering = expressions.render(template, roots);
        count(rendering.steps(), rendering.bytes(), expression.offset());
        return switch (rendering) {
            case Rendering.Rendered(JsonValue value, long _, long _) -> value;
            case Rendering.Failed(String _, ExpressionError error, long _, long _) ->
                throw failed(expression, expression.placeOf(error.position() - before), error);
        };
    }

    private void count(long moreSteps, long moreBytes, int offset) throws BodyFaultException {
        steps += moreSteps;
        bytes += moreBytes;
        if (steps > limits.steps()) {
            throw tooMuch(offset, "rendering takes more than " + limits.steps() + " steps");
        }
        if (bytes > limits.bytes()) {
            throw tooMuch(offset, "rendering takes more than " + limits.bytes() + " bytes");
        }
    }

    private BodyFaultException failed(Part.Expression expression, int offset, ExpressionError error) {
        return fault(
                offset,
                error.code(),
                Quoted.text(expression.source().strip()) + ": " + error.message(),
                "send what it names, or repair the template");
    }

    private BodyFaultException tooMuch(int offset, String message) {
        return fault(offset, BodyFault.TOO_LARGE, message, "send less, or split the template");
    }

    private BodyFaultException fault(int offset, String code, String message, String remedy) {
        return new BodyFaultException(BodyFault.at(body.source(), offset, code, message, remedy));
    }
}
