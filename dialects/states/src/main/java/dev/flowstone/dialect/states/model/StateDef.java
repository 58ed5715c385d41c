package dev.flowstone.dialect.states.model;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A state as written.
 *
 * @param branches of a parallel or for-each state, by phase, then name
 */
public record StateDef(
        String name, At at, Body body, Region region, List<Transition> transitions, List<Branch> branches) {
    public static final String SUCCESS = "success";
    public static final String FAILURE = "failure";
    public static final String TIMEOUT = "timeout";
    public static final String DENIED = "denied";
    private static final String REJECT = "reject";

    public StateDef {
        requireNonNull(name);
        requireNonNull(at);
        requireNonNull(body);
        requireNonNull(region);
        transitions = List.copyOf(transitions);
        branches = List.copyOf(branches);
    }

    /** Outcomes that mean that it has done its work. */
    public List<String> done() {
        if (body == Body.HUMAN) {
            List<String> outcomes =
                    at.object("human").map(it -> it.texts("outcomes")).orElse(List.of());
            return outcomes.isEmpty() ? List.of("approve", REJECT) : outcomes;
        }
        return List.of(SUCCESS);
    }

    /** Outcomes of which a single decision of people is enough. */
    public List<String> vetoes() {
        At human = at.object("human").orElse(at);
        return human.has("vetoes")
                ? human.texts("vetoes")
                : done().stream().filter(REJECT::equals).toList();
    }

    /** Every outcome that a transition may wait for. */
    public Set<String> outcomes() {
        Set<String> outcomes = new LinkedHashSet<>(done());
        outcomes.add(FAILURE);
        if (at.has("timeout")) {
            outcomes.add(TIMEOUT);
        }
        if (at.has("policies")) {
            outcomes.add(DENIED);
        }
        if (body == Body.PARALLEL || body == Body.FOR_EACH) {
            outcomes.add("unsatisfied");
        }
        if (body == Body.CALL) {
            outcomes.add("canceled");
        }
        return outcomes;
    }

    /** The transitions for an outcome, in their order. */
    public List<Transition> ways(String outcome) {
        return transitions.stream()
                .filter(it -> it.on().map(outcome::equals).orElseGet(() -> done().contains(outcome)))
                .toList();
    }

    /** The steps of its body. */
    public List<At> steps() {
        return at.object("task").map(List::of).orElseGet(() -> at.list("tasks"));
    }

    /** The hold that lasts as long as the state, if it has one by name or of its own. */
    public Optional<String> semaphore() {
        return at.text("semaphore").or(() -> at.object("semaphore").flatMap(hold -> hold.text("semaphore")));
    }

    /** Whether anything is held while a run is in this state. */
    public boolean holds() {
        return at.has("semaphore") || at.has("concurrency");
    }
}
