package dev.flowstone.dialect.states.check;

import dev.flowstone.dialect.action.NamedActions;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.dialect.states.model.At;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What sections declare, and the handlers that there are. */
final class References {
    private static final int LONGEST = 500;

    private final At workflow;
    private final Faults faults;
    private final Nearest nearest;
    private final NamedActions actions;
    private final Set<String> enabled;
    private final Map<String, Set<String>> sections = new HashMap<>();

    References(At workflow, Faults faults, Nearest nearest, NamedActions actions) {
        this.workflow = workflow;
        this.faults = faults;
        this.nearest = nearest;
        this.actions = actions;
        this.enabled = new TreeSet<>(actions.names());
    }

    /** Notes the fault if the section doesn't have this name. */
    void declared(String section, String name, String pointer) {
        Set<String> names = sections.computeIfAbsent(
                section,
                it -> new TreeSet<>(workflow.object(it)
                        .map(at -> at.json().members().keySet())
                        .orElse(Set.of())));
        if (!names.contains(name)) {
            String otherwise = names.isEmpty()
                    ? "add \"" + section + "\": { \"" + Quoted.cut(name, 60) + "\": … } to the workflow"
                    : "there are " + Quoted.choice(names).replace(" or ", " and ");
            faults.add(
                    StatesFault.UNKNOWN_REFERENCE,
                    pointer,
                    "'" + section + "' has no " + Quoted.text(name),
                    nearest.orElse(name, names, otherwise));
        }
    }

    /** A policy that a rule or condition asks: one of rules, since a published one is asked where its answer is recorded. */
    void ruled(String name, String pointer) {
        declared("policies", name, pointer);
        At policy = workflow.named("policies").get(name);
        if (policy != null && policy.has("bundle")) {
            faults.add(
                    StatesFault.NOT_TOGETHER,
                    pointer,
                    "policy " + Quoted.text(name) + " is a published one, which no rule can ask",
                    "name it in the 'policies' of a state");
        }
    }

    /** A member that names an entry of a section. */
    void declared(String section, At at, String member) {
        at.text(member).ifPresent(name -> declared(section, name, at.pointer(member)));
    }

    void action(At at) {
        at.text("action").ifPresent(name -> action(name, at.pointer("action")));
    }

    private void action(String name, String pointer) {
        if (enabled.contains(name)) {
            actions.deprecation(name)
                    .ifPresent(notice -> faults.add(
                            StatesFault.ACTION_DEPRECATED,
                            pointer,
                            "the action " + Quoted.text(name) + " is deprecated",
                            Quoted.cut(notice, LONGEST)));
            return;
        }
        Optional<String> disabled = actions.disabled(name);
        if (disabled.isPresent()) {
            faults.add(
                    StatesFault.ACTION_DISABLED,
                    pointer,
                    "the action " + Quoted.text(name) + " is disabled: no new version may name it",
                    Quoted.cut(disabled.get(), LONGEST));
        } else {
            faults.add(
                    StatesFault.UNKNOWN_ACTION,
                    pointer,
                    "no action is named " + Quoted.text(name),
                    nearest.orElse(
                            name,
                            enabled,
                            "there are " + Quoted.choice(enabled).replace(" or ", " and ")
                                    + "; others come with a connector's jar (connector.plugins) or are"
                                    + " done by workers (worker.actions)"));
        }
    }

    /** An outcome that must be one of these. */
    void outcome(String outcome, Collection<String> possible, String pointer) {
        if (!possible.contains(outcome)) {
            faults.add(
                    StatesFault.UNKNOWN_OUTCOME,
                    pointer,
                    "the outcome " + Quoted.text(outcome) + " can't be here",
                    nearest.orElse(outcome, List.copyOf(possible), "write " + Quoted.choice(possible)));
        }
    }
}
