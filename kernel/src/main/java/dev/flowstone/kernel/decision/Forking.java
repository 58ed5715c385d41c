package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;

/** To be written on this branch: begins an activation of Fork. */
final class Forking {
    private Forking() {}

    static void begin(Deciding deciding, Node.Fork node, ActivationId id) {
        Dispatching.failed(deciding, id, 1, TaskError.of("NOT_YET", "no rule yet for " + node.id()));
    }
}
