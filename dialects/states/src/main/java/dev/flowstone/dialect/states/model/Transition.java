package dev.flowstone.dialect.states.model;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonValue;
import java.util.Optional;

/**
 * A way out of a state.
 *
 * @param to a state; empty: the branch that the state is ends here, with the outcome as its own
 * @param on the outcome that it is for; empty: whatever the state means by having done its work
 * @param when an expression or a rule
 */
public record Transition(
        Optional<String> to, Optional<String> on, Optional<JsonValue> when, boolean otherwise, String pointer) {
    public Transition {
        requireNonNull(to);
        requireNonNull(on);
        requireNonNull(when);
        requireNonNull(pointer);
    }
}
