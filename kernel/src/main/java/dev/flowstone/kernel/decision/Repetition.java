package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.HumanDecision;
import java.util.Optional;

/** Whether a command says again what was recorded: it is accepted then and changes nothing. */
final class Repetition {
    private Repetition() {}

    /** The same decision, word by word, of the same actor. */
    static boolean isOne(Deciding deciding, HumanDecision recorded, HumanCommand.Decide command) {
        boolean sameBehalf = command.onBehalfOf().isEmpty()
                || recorded.onBehalfOf().equals(command.onBehalfOf().map(Party::user));
        return recorded.actor().equals(deciding.actor())
                && recorded.outcome().equals(command.outcome())
                && recorded.rationale().equals(command.rationale())
                && recorded.subjectVersion().equals(command.subjectVersion())
                && sameBehalf;
    }

    /**
     * Of a settled task: as its output tells, which keeps a rationale only as long as there is room. What is over has no
     * claim left that could be given back.
     */
    static boolean isOne(Deciding deciding, Place place, ActivationId id, HumanCommand command) {
        if (command instanceof HumanCommand.Release) {
            return true;
        }
        Activation activation = deciding.state().activation(id);
        Payload result = deciding.state().node(place).result();
        if (activation == null
                || activation.outcome() == null
                || !(result instanceof Payload.Inline inline)
                || !(inline.value() instanceof JsonObject output)) {
            return false;
        }
        return switch (command) {
            case HumanCommand.Decide decide ->
                output.get("decisions") instanceof JsonArray decisions
                        && decisions.items().stream().anyMatch(one -> isOne(deciding, one, decide));
            case HumanCommand.Resolve resolve ->
                activation.outcome().equals(resolve.outcome())
                        && output.get("resolved") instanceof JsonObject resolved
                        && is(
                                resolved.get("actor"),
                                Optional.of(deciding.actor().toString()))
                        && is(resolved.get("reason"), Optional.of(resolve.reason()));
            case HumanCommand.Claim _,
                    HumanCommand.Release _,
                    HumanCommand.Heartbeat _,
                    HumanCommand.Reassign _,
                    HumanCommand.Delegate _,
                    HumanCommand.Attest _ -> false;
        };
    }

    private static boolean isOne(Deciding deciding, JsonValue recorded, HumanCommand.Decide command) {
        if (!(recorded instanceof JsonObject decision)) {
            return false;
        }
        boolean sameVersion = command.subjectVersion().isEmpty()
                ? decision.get("subjectVersion") == null
                : decision.get("subjectVersion") instanceof JsonNumber version
                        && version.isLong()
                        && version.longValue() == command.subjectVersion().get();
        boolean sameBehalf = command.onBehalfOf().isEmpty()
                || is(
                        decision.get("onBehalfOf"),
                        command.onBehalfOf().map(user -> Party.user(user).toString()));
        return sameVersion
                && sameBehalf
                && is(decision.get("actor"), Optional.of(deciding.actor().toString()))
                && is(decision.get("outcome"), Optional.of(command.outcome().name()))
                && is(decision.get("rationale"), command.rationale());
    }

    private static boolean is(@org.jspecify.annotations.Nullable JsonValue value, Optional<String> text) {
        return value == null
                ? text.isEmpty()
                : value instanceof JsonString string && text.equals(Optional.of(string.value()));
    }
}
