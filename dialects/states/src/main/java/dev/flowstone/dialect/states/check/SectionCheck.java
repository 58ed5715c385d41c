package dev.flowstone.dialect.states.check;

import dev.flowstone.dialect.action.NamedActions;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Rules;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The workflow's sections: what they name, the types of defaults, circles of policies. */
public final class SectionCheck {
    /** Before the kinds in the types of events. */
    private static final String ENGINES = "dev.flowstone.";

    private final Source source;
    private final Faults faults;
    private final Nearest nearest;
    private final References references;

    public SectionCheck(Source source, Faults faults, Nearest nearest, NamedActions actions) {
        this.source = source;
        this.faults = faults;
        this.nearest = nearest;
        this.references = new References(source.workflow(), faults, nearest, actions);
    }

    public void run() {
        At workflow = source.workflow();
        workflow.named("variables").forEach(this::variable);
        Map<String, At> policies = workflow.named("policies");
        policies.forEach((name, policy) -> {
            String pointer = policy.pointer(policy.has("rules") ? "rules" : "rule");
            for (String other : Rules.references(policy.json())) {
                references.ruled(other, pointer);
            }
            if (circle(name, policies)) {
                faults.add(
                        StatesFault.POLICY_CIRCLE,
                        pointer,
                        "policy " + Quoted.text(name) + " refers to itself, by itself or through others",
                        "write out what it demands");
            }
        });
        workflow.named("compensations").forEach((name, each) -> references.action(each));
        Times times = new Times(faults);
        times.fixed(workflow, "deadline");
        workflow.named("semaphores").forEach((name, each) -> times.fixed(each, "lease"));
        workflow.named("compensations").forEach((name, each) -> times.step(each));
        triggers(workflow);
    }

    private void triggers(At workflow) {
        Set<String> ids = new HashSet<>();
        for (At trigger : workflow.list("triggers")) {
            String id = trigger.text("id").orElse("");
            if (!ids.add(id)) {
                faults.add(
                        StatesFault.DUPLICATE_NAME,
                        trigger.pointer("id"),
                        "two triggers are named " + Quoted.text(id),
                        "rename one");
            }
            trigger.value("guard")
                    .ifPresent(guard ->
                            Rules.references(guard).forEach(name -> references.ruled(name, trigger.pointer("guard"))));
            if (trigger.text("source").orElse("").equals("internal")) {
                trigger.text("event").ifPresent(event -> kind(trigger, event));
            }
        }
    }

    /** Nothing would ever happen that one of another kind waits for. */
    private void kind(At trigger, String event) {
        String prefix = event.contains(".") ? ENGINES : "";
        boolean wide = event.endsWith("*");
        String stem = wide ? event.substring(0, event.length() - 1) : event;
        boolean known = EventBody.kinds().stream()
                .map(prefix::concat)
                .anyMatch(kind -> wide ? kind.startsWith(stem) : kind.equals(stem));
        if (!known) {
            faults.add(
                    StatesFault.UNKNOWN_EVENT,
                    trigger.pointer("event"),
                    "executions have no events of kind " + Quoted.text(event),
                    nearest.orElse(stem, EventBody.kinds(), "take one that there is") + "; the kinds are "
                            + String.join(", ", EventBody.kinds()));
        }
    }

    private static boolean circle(String name, Map<String, At> policies) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>();
        open.add(name);
        while (!open.isEmpty()) {
            At at = policies.get(open.remove());
            if (at != null) {
                for (String next : Rules.references(at.json())) {
                    if (next.equals(name)) {
                        return true;
                    }
                    if (seen.add(next)) {
                        open.add(next);
                    }
                }
            }
        }
        return false;
    }

    private void variable(String name, At variable) {
        String type = variable.text("type").orElse("any");
        variable.value("default")
                .filter(it -> !fits(type, it))
                .ifPresent(it -> faults.add(
                        StatesFault.BAD_DEFAULT,
                        variable.pointer("default"),
                        "the default of " + Quoted.text(name) + " is of another type than " + Quoted.text(type),
                        "change the default or the type"));
    }

    /** A text with a template in it may become anything. */
    private static boolean fits(String type, JsonValue value) {
        boolean template = value instanceof JsonString text && text.value().contains("{{");
        return template
                || switch (type) {
                    case "string" -> value instanceof JsonString;
                    case "number" -> value instanceof JsonNumber;
                    case "integer" ->
                        value instanceof JsonNumber number
                                && number.decimalValue().stripTrailingZeros().scale() <= 0;
                    case "boolean" -> value instanceof JsonBoolean;
                    case "object" -> value instanceof JsonObject;
                    case "array" -> value instanceof JsonArray;
                    default -> true;
                };
    }
}
