package dev.flowstone.dialect.states.check;

import dev.flowstone.dialect.action.NamedActions;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Body;
import dev.flowstone.dialect.states.model.Rules;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.dialect.states.model.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Each state by itself: what it refers to, its outcomes and the ways for them, what has no sense together. */
public final class StateCheck {
    private static final List<String> AT_THE_END =
            List.of("transitions", "next", "onExit", "timeout", "recheck", "policies", "semaphore", "concurrency");

    private final Source source;
    private final Faults faults;
    private final References references;
    private final Times times;
    private final BodyCheck bodies;

    public StateCheck(Source source, Faults faults, Nearest nearest, NamedActions actions) {
        this.source = source;
        this.faults = faults;
        this.references = new References(source.workflow(), faults, nearest, actions);
        this.times = new Times(faults);
        this.bodies = new BodyCheck(source.workflow(), faults, references, times);
    }

    public void run() {
        for (StateDef state : source.states()) {
            At at = state.at();
            for (String policy : at.texts("policies")) {
                references.declared("policies", policy, at.pointer("policies"));
            }
            state.semaphore().ifPresent(name -> references.declared("semaphores", name, at.pointer("semaphore")));
            at.object("semaphore").ifPresent(bodies::hold);
            references.declared("calendars", at, "calendar");
            if (at.has("calendar")) {
                faults.add(
                        StatesFault.CALENDAR_NOT_COUNTED,
                        at.pointer("calendar"),
                        "the calendar is recorded, but elapsed time is counted",
                        "give the timeout as elapsed time");
            }
            times.any(at, "timeout");
            at.object("recheck").ifPresent(it -> times.any(it, "every"));
            steps(state);
            bodies.check(state);
            together(state);
            if (state.body() != Body.END) {
                ways(state);
            }
        }
    }

    private void steps(StateDef state) {
        List<At> steps = new ArrayList<>(state.at().list("onEnter"));
        steps.addAll(state.steps());
        steps.addAll(state.at().list("onExit"));
        steps.forEach(bodies::step);
    }

    private void together(StateDef state) {
        At at = state.at();
        if (state.body() == Body.END) {
            for (String name : AT_THE_END) {
                if (at.has(name)) {
                    notTogether(at.pointer(name), "a path ends in " + Quoted.text(state.name()), name);
                }
            }
        }
        if (at.has("states") != at.has("start") && !at.pointer().isEmpty()) {
            notTogether(at.pointer(), "'start' and 'states' go together", "start");
        }
        boolean unconditional = state.done().stream()
                .flatMap(outcome -> state.ways(outcome).stream())
                .anyMatch(way -> way.when().isEmpty());
        if (at.has("recheck") && (unconditional || state.body() == Body.HUMAN)) {
            notTogether(at.pointer("recheck"), "some transition is always taken, so it never looks again", "recheck");
        }
    }

    private void notTogether(String pointer, String message, String name) {
        faults.add(
                StatesFault.NOT_TOGETHER, pointer, message, "remove " + Quoted.text(name) + ", or what it contradicts");
    }

    private void ways(StateDef state) {
        Set<String> possible = new TreeSet<>(state.outcomes());
        for (Transition way : state.transitions()) {
            way.on().ifPresent(on -> references.outcome(on, possible, way.pointer() + "/on"));
            way.when()
                    .ifPresent(when ->
                            Rules.references(when).forEach(name -> references.ruled(name, way.pointer() + "/when")));
            if (way.when().isPresent() && way.otherwise()) {
                notTogether(way.pointer(), "an 'else' has no condition", "when");
            }
        }
        for (String outcome : state.done()) {
            if (state.ways(outcome).isEmpty()) {
                noWay(state, outcome, state.at().pointer());
            }
        }
        boolean failureHandled = !state.ways(StateDef.FAILURE).isEmpty();
        if (state.at().has("timeout") && state.ways(StateDef.TIMEOUT).isEmpty() && !failureHandled) {
            noWay(state, StateDef.TIMEOUT, state.at().pointer("timeout"));
        }
    }

    private void noWay(StateDef state, String outcome, String pointer) {
        Optional<String> on = outcome.equals(StateDef.SUCCESS) ? Optional.empty() : Optional.of(outcome);
        faults.add(
                StatesFault.NO_WAY_ON,
                pointer,
                "nothing leads on from " + Quoted.text(state.name()) + " when its outcome is " + Quoted.text(outcome),
                on.map(it -> "add a transition with \"on\": \"" + it + "\"")
                        .orElse("add \"next\", or make it an end: \"end\": {}"));
    }
}
