package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;

/** To be written on this branch: begins an activation of Emit. */
final class Emitting {
    private Emitting() {}

    static void begin(Deciding deciding, Node.Emit node, ActivationId id) {
        throw new UnsupportedOperationException(deciding.now() + " " + node.id() + " " + id);
    }
}
