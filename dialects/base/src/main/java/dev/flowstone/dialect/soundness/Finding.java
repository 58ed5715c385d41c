package dev.flowstone.dialect.soundness;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Node;
import java.util.List;

/**
 * One thing that is unsound.
 *
 * @param node where it shows
 * @param trace the nodes that complete before, in a shortest order; of a node that never runs, up to the nearest that does
 * @param message one sentence for the workflow's author
 */
public record Finding(Kind kind, Node node, List<NodeId> trace, String message) {
    public Finding {
        requireNonNull(kind);
        requireNonNull(node);
        trace = List.copyOf(trace);
        requireNonNull(message);
    }

    /** What is unsound. */
    public enum Kind {
        /** A run can come to a point from which nothing leads on. */
        DEADLOCK,
        /** A node that no run enters. */
        NEVER_RUNS,
        /** A join whose policy no run can meet. */
        JOIN_NEVER_FIRES
    }
}
