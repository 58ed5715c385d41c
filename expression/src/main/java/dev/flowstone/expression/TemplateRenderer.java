package dev.flowstone.expression;

import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One rendering of one template. Members are rendered in the order of their names, whatever order they were written in,
 * so that equal templates fail at the same place. What has no expression in it is returned as it is, not copied.
 */
final class TemplateRenderer {
    private final Function<String, TextTemplate> texts;
    private final Roots roots;
    private final ExpressionBudget budget;
    private final Meter meter;
    private final Pointer pointer = new Pointer();
    private long compiling = ExpressionBudget.STEPS_PER_SOURCE;
    private long produced;

    /** @param texts compiles a string; throws a {@link Fault} if it cannot */
    TemplateRenderer(Function<String, TextTemplate> texts, Roots roots, ExpressionBudget budget) {
        this.texts = texts;
        this.roots = roots;
        this.budget = budget;
        this.meter = Meter.forTemplate(budget);
    }

    /** Where the rendering is, or has failed. */
    String pointer() {
        return pointer.toString();
    }

    /** What it has taken so far, compiling included. */
    long steps() {
        return compiling + meter.stepsUsed();
    }

    /** What its expressions and its result have taken so far. */
    long bytes() {
        return produced + meter.bytesUsed();
    }

    JsonValue render(JsonValue template) {
        return render(template, 0);
    }

    private JsonValue render(JsonValue template, int depth) {
        return switch (template) {
            case JsonString text when text.value().contains(TextTemplate.OPEN) -> fill(compiled(text.value()), depth);
            case JsonArray array -> array(array, depth);
            case JsonObject object -> object(object, depth);
            default -> template;
        };
    }

    private TextTemplate compiled(String source) {
        compiling += source.length();
        return texts.apply(source);
    }

    private JsonValue array(JsonArray array, int depth) {
        meter.depth(depth);
        List<JsonValue> items = new ArrayList<>(array.items().size());
        boolean changed = false;
        for (int i = 0; i < array.items().size(); i++) {
            pointer.enter(i);
            JsonValue rendered = render(array.items().get(i), depth + 1);
            pointer.leave();
            changed |= !isSame(rendered, array.items().get(i));
            items.add(rendered);
        }
        return changed ? new JsonArray(items) : array;
    }

    private JsonValue object(JsonObject object, int depth) {
        meter.depth(depth);
        Map<String, JsonValue> changed = new HashMap<>();
        for (String name : MemberNames.sorted(object.members(), meter)) {
            JsonValue member = object.find(name).orElse(JsonNull.NULL);
            pointer.enter(name);
            JsonValue rendered = render(member, depth + 1);
            pointer.leave();
            if (!isSame(rendered, member)) {
                changed.put(name, rendered);
            }
        }
        if (changed.isEmpty()) {
            return object;
        }
        Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
        members.putAll(changed);
        return JsonObject.view(members);
    }

    /** The very same value: nothing has been filled in. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(JsonValue rendered, JsonValue template) {
        return rendered == template;
    }

    private JsonValue fill(TextTemplate template, int depth) {
        if (template.isSingleExpression()) {
            TextTemplate.Hole hole = (TextTemplate.Hole) template.parts().getFirst();
            JsonValue value = value(hole);
            ValueSize.charge(value, meter, depth);
            return value;
        }
        MeteredText text = new MeteredText(meter);
        for (TextTemplate.Part part : template.parts()) {
            switch (part) {
                case TextTemplate.Text fixed -> text.append(fixed.text());
                case TextTemplate.Hole hole -> text.append(text(value(hole)));
            }
        }
        return new JsonString(text.toString());
    }

    private JsonValue value(TextTemplate.Hole hole) {
        try {
            meter.steps(ExpressionBudget.STEPS_PER_TEMPLATE_EXPRESSION);
            Object value = evaluate(hole.script());
            if (value == Undefined.UNDEFINED) {
                throw new Fault(
                        Fault.Code.UNKNOWN_NAME,
                        "The expression has no value: what it names does not exist; write ?? and a value for that case.",
                        0);
            }
            return Coercion.json(value, 0);
        } catch (Fault fault) {
            throw fault.shifted(hole.offset());
        }
    }

    /** What it used is the template's too, even if it failed. */
    private Object evaluate(Script script) {
        Meter own = meter.forExpressionWithin(budget);
        try {
            return script.evaluate(roots, own, new Reads());
        } finally {
            produced += own.bytesUsed();
            meter.steps(own.stepsUsed());
        }
    }

    /** Null is no text; arrays and objects are their JSON. */
    private String text(JsonValue value) {
        return switch (value) {
            case JsonNull none -> "";
            case JsonArray array -> JsonText.of(array, meter);
            case JsonObject object -> JsonText.of(object, meter);
            default -> Coercion.text(value, meter, -1);
        };
    }
}
