package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;

/** To be written on this branch: begins an activation of HumanTask. */
final class Asking {
    private Asking() {}

    static void begin(Deciding deciding, Node.HumanTask node, ActivationId id) {
        Dispatching.failed(deciding, id, 1, TaskError.of("NOT_YET", "no rule yet for " + node.id()));
    }
}
