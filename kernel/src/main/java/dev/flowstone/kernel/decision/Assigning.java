package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Ending;
import java.util.Map;
import java.util.Optional;

/** Writes variables of the run: all at once, or none if they would be too large together. */
final class Assigning {
    private Assigning() {}

    /** All of them are rendered on the values before. */
    static void begin(Deciding deciding, Node.Assign node, ActivationId id) {
        switch (deciding.render(JsonObject.of(node.values()))) {
            case Rendering.Failed failed -> Dispatching.failed(deciding, id, 1, Dispatching.templateError(failed));
            case Rendering.Rendered rendered -> {
                Map<String, JsonValue> values = ((JsonObject) rendered.value()).members();
                if (!write(deciding, new DataEvent.VariablesSet(Optional.of(id), values, Optional.empty()))) {
                    Dispatching.failed(deciding, id, 1, TaskError.of("VARIABLES_TOO_LARGE", tooLarge(deciding)));
                }
            }
        }
    }

    /** Somebody writes them. */
    static Optional<Decision.Rejected> decide(Deciding deciding, DataCommand.SetVariables command) {
        if (deciding.state().ending() != Ending.NONE
                || deciding.state().status().isFinal()) {
            return Refusal.of(RejectionCode.INVALID_STATE, "the run has ended, or is about to");
        }
        if (command.values().isEmpty()) {
            return Refusal.of(RejectionCode.INVALID_COMMAND, "no variable is named");
        }
        for (String name : command.values().keySet()) {
            if (!Node.Assign.VARIABLE.matcher(name).matches()) {
                return Refusal.of(
                        RejectionCode.INVALID_COMMAND,
                        "a variable's name has at most 64 letters, digits and underscores");
            }
        }
        Optional<Decision.Rejected> reason = Refusal.text("reason", command.reason());
        if (reason.isPresent()) {
            return reason;
        }
        DataEvent.VariablesSet set =
                new DataEvent.VariablesSet(Optional.empty(), command.values(), Optional.of(command.reason()));
        return write(deciding, set) ? Optional.empty() : Refusal.of(RejectionCode.LIMIT_EXCEEDED, tooLarge(deciding));
    }

    private static boolean write(Deciding deciding, DataEvent.VariablesSet set) {
        return deciding.state().data().variableBytesWith(set.assigned())
                        <= deciding.bounds().variableBytes()
                && deciding.offer(set);
    }

    private static String tooLarge(Deciding deciding) {
        return "all variables of a run together have at most "
                + deciding.bounds().variableBytes() + " bytes, those written at once at most "
                + deciding.bounds().eventBytes();
    }
}
