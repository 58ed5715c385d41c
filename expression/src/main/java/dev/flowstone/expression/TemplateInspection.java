package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Compiles every string of a template without evaluating any: what is wrong, and what it names. */
final class TemplateInspection {
    /** Enough for an author to begin with. */
    private static final int MOST_FAULTS = 100;

    private final Function<String, Compilation> texts;
    private final ExpressionBudget budget;
    private final Meter meter;
    private final Pointer pointer = new Pointer();
    private final List<TemplateFault> faults = new ArrayList<>();
    private References references = References.NONE;

    TemplateInspection(Function<String, Compilation> texts, ExpressionBudget budget) {
        this.texts = texts;
        this.budget = budget;
        this.meter = Meter.forTemplate(budget);
    }

    List<TemplateFault> faults() {
        return List.copyOf(faults);
    }

    References references() {
        return references;
    }

    TemplateInspection inspect(JsonValue template) {
        try {
            inspect(template, 0);
        } catch (Fault fault) {
            faults.add(new TemplateFault(pointer.toString(), fault.error(0)));
        }
        return this;
    }

    private void inspect(JsonValue value, int depth) {
        if (faults.size() == MOST_FAULTS) {
            return;
        }
        switch (value) {
            case JsonString text when text.value().contains(TextTemplate.OPEN) -> inspect(text.value());
            case JsonArray array -> {
                meter.depth(depth);
                for (int i = 0; i < array.items().size(); i++) {
                    pointer.enter(i);
                    inspect(array.items().get(i), depth + 1);
                    pointer.leave();
                }
            }
            case JsonObject object -> {
                meter.depth(depth);
                for (String name : MemberNames.sorted(object.members(), Meter.forTemplate(budget))) {
                    pointer.enter(name);
                    inspect(object.find(name).orElse(JsonNull.NULL), depth + 1);
                    pointer.leave();
                }
            }
            default -> {}
        }
    }

    private void inspect(String text) {
        switch (texts.apply(text)) {
            case TextTemplate template -> references = references.and(template.references());
            case Compilation.Refused refused -> faults.add(new TemplateFault(pointer.toString(), refused.error()));
            case Script script -> references = references.and(script.references());
        }
    }
}
