package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;

/** To be written on this branch: begins an activation of Assign. */
final class Assigning {
    private Assigning() {}

    static void begin(Deciding deciding, Node.Assign node, ActivationId id) {
        throw new UnsupportedOperationException(deciding.now() + " " + node.id() + " " + id);
    }
}
