package dev.flowstone.dialect.states.check;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Rules;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.expression.TemplateFault;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Every condition, rule and template: whether it compiles, and whether its names are the run's. */
public final class ExpressionCheck {
    private static final List<String> NAMES = List.of("trigger", "spec", "context", "vars", "variables");
    private static final List<String> IN_EACH =
            List.of("trigger", "spec", "context", "vars", "variables", "item", "index");
    private static final List<String> OF_EVENTS = List.of("event");

    /** Members that hold conditions; they are no templates. */
    private static final Set<String> CONDITIONS = Set.of("when", "guard", "rule");

    /** Members that are for people or name things: never rendered. */
    private static final Set<String> PLAIN =
            Set.of("description", "name", "owners", "attest", "attributes", "calendars");

    private final Source source;
    private final ScriptExpressions scripts;
    private final Faults faults;
    private final Nearest nearest;
    private final int most;
    private final Rules rules;
    private final Set<String> outputs = new TreeSet<>();
    private int count;

    public ExpressionCheck(Source source, ScriptExpressions scripts, Faults faults, Nearest nearest, int most) {
        this.source = source;
        this.scripts = scripts;
        this.faults = faults;
        this.nearest = nearest;
        this.most = most;
        this.rules = new Rules(source.workflow());
    }

    public void run() {
        outputs.add("$variables");
        for (StateDef state : source.states()) {
            outputs.add(state.name());
            List<At> steps = new ArrayList<>(state.at().list("onEnter"));
            steps.addAll(state.steps());
            steps.forEach(step -> step.text("id").ifPresent(outputs::add));
        }
        walk(source.workflow().json(), "", NAMES);
    }

    /** As deep as the text; the parser bounds that. */
    private void walk(JsonValue value, String pointer, List<String> names) {
        switch (value) {
            case JsonObject object ->
                object.members().forEach((name, member) -> {
                    String at = pointer + "/" + JsonPointer.escape(name);
                    if (CONDITIONS.contains(name) && isCondition(pointer)) {
                        condition(member, at, name.equals("guard") ? OF_EVENTS : names);
                    } else if (!PLAIN.contains(name) || pointer.endsWith("/input")) {
                        boolean signals = pointer.startsWith("/triggers/");
                        List<String> inner = name.equals("forEach") ? IN_EACH : signals ? OF_EVENTS : names;
                        walk(member, at, inner);
                    }
                });
            case JsonArray array -> {
                for (int i = 0; i < array.items().size(); i++) {
                    walk(array.items().get(i), pointer + "/" + i, names);
                }
            }
            case JsonString text when text.value().contains("{{") -> template(text, pointer, names);
            default -> {}
        }
    }

    /** An input's member may be called 'when' too. */
    private static boolean isCondition(String pointer) {
        return pointer.matches(".*/transitions/\\d+|/triggers/\\d+|/policies/[^/]+(/rules/\\d+)?");
    }

    private void condition(JsonValue value, String pointer, List<String> names) {
        if (beyond(pointer)) {
            return;
        }
        String condition = rules.condition(value);
        if (names.equals(OF_EVENTS) && condition.indexOf(0) >= 0) {
            faults.add(
                    StatesFault.CONDITION_INVALID,
                    pointer,
                    "a guard holds no NUL (U+0000)",
                    "write it as an escape of the expression, \\u0000");
            return;
        }
        scripts.checkCondition(condition).ifPresent(error -> refuse(StatesFault.CONDITION_INVALID, pointer, error));
        roots(scripts.conditionReferences(condition), pointer, names);
    }

    private void template(JsonString text, String pointer, List<String> names) {
        if (beyond(pointer)) {
            return;
        }
        for (TemplateFault fault : scripts.checkTemplate(text)) {
            refuse(StatesFault.TEMPLATE_INVALID, pointer + fault.pointer(), fault.error());
        }
        roots(scripts.templateReferences(text), pointer, names);
    }

    private void roots(dev.flowstone.expression.References read, String pointer, List<String> names) {
        for (String root : read.roots()) {
            if (!names.contains(root)) {
                faults.add(
                        StatesFault.UNKNOWN_NAME,
                        pointer,
                        "no value is named " + Quoted.text(root) + " here",
                        nearest.orElse(root, names, "an expression begins with " + Quoted.choice(names)));
            }
        }
        for (String node : read.nodes()) {
            if (!outputs.contains(node)) {
                faults.add(
                        StatesFault.UNKNOWN_OUTPUT,
                        pointer,
                        "this reads the output of " + Quoted.text(node) + ", and no state or step is named so",
                        nearest.orElse(node, outputs, "name a state, or the id of a step"));
            }
        }
    }

    private boolean beyond(String pointer) {
        count++;
        if (count == most + 1) {
            faults.add(
                    StatesFault.TOO_MANY_EXPRESSIONS,
                    pointer,
                    "the workflow has more than " + most + " conditions and templates",
                    "split it into several workflows");
        }
        return count > most;
    }

    private void refuse(StatesFault code, String pointer, ExpressionError error) {
        faults.add(
                code,
                pointer,
                Quoted.cut(error.message(), 500),
                "docs/expressions.md says what the expression language accepts");
    }
}
