package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;

/** To be written on this branch: begins an activation of Await. */
final class Awaiting {
    private Awaiting() {}

    static void begin(Deciding deciding, Node.Await node, ActivationId id) {
        Dispatching.failed(deciding, id, 1, TaskError.of("NOT_YET", "no rule yet for " + node.id()));
    }
}
