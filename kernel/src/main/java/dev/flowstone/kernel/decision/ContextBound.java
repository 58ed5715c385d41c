package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadSize;
import dev.flowstone.kernel.state.NodeState;
import java.util.Map;
import java.util.Optional;

/**
 * What expressions of a run may read, its input and its nodes' newest results, stays within {@link Bounds#contextBytes}
 * (dataflow.md §10.3), or the program's own bound, if that is less. The state counts it; every rule that gives a node an
 * action's or a child's output asks here first. Errors, which have bounds of their own, are recorded in any case.
 */
final class ContextBound {
    static final String CODE = "CONTEXT_TOO_LARGE";

    private ContextBound() {}

    /** Whether this output, in place of the node's last one, takes the run beyond. */
    static boolean exceeded(Deciding deciding, ActivationId id, Payload output) {
        NodeState node = deciding.state().node(deciding.state().topology().place(id.node()));
        long grows = PayloadSize.of(output) - node.resultBytes();
        return grows > 0 && deciding.state().contextBytes() + grows > most(deciding);
    }

    /** In bytes: what the installation allows, or what the program does if that is less. */
    static int most(Deciding deciding) {
        return deciding.state().program().context().within(deciding.bounds().contextBytes());
    }

    /** What the output becomes. Says nothing of the moment, so that a repeated answer is known by it. */
    static TaskAnswer.Failed failure(Deciding deciding, Payload output) {
        TaskError error = TaskError.of(
                CODE,
                "with this result of " + PayloadSize.of(output)
                        + " bytes the run's input and results would have more than " + most(deciding)
                        + " bytes together");
        return new TaskAnswer.Failed(FailureClass.PERMANENT, error, Optional.empty());
    }

    /** Why a run can't begin with this input; empty if it can. */
    static Optional<Decision.Rejected> refusal(Deciding deciding, Map<String, Payload> input) {
        long bytes = 0;
        for (Payload root : input.values()) {
            bytes += PayloadSize.of(root);
        }
        int most = most(deciding);
        return bytes <= most
                ? Optional.empty()
                : Optional.of(new Decision.Rejected(
                        RejectionCode.CONTEXT_TOO_LARGE,
                        "the input has " + bytes + " bytes; a run's input and results have at most " + most
                                + " bytes together"));
    }
}
