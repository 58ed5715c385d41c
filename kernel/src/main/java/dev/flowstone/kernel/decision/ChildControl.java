package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.message.Message;

/**
 * What is done to a run reaches the children that its calls started, as each call's policies say (R22). The one place that
 * operations on a run go through.
 */
final class ChildControl {
    private ChildControl() {}

    /** To be completed with the slice of messages: a run on this branch has no children. */
    static void reach(Deciding deciding, Message.Operation operation, String reason) {
        if (deciding.state().run().isEmpty()) {
            throw new IllegalStateException("no run to " + operation + ": " + reason);
        }
    }
}
