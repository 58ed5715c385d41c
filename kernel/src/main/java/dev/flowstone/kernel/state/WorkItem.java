package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One piece of work on a run's work list (R4): first in, first out. */
public sealed interface WorkItem {
    /** Number of the scope instance that it belongs to. */
    int scope();

    /**
     * Enter a node.
     *
     * @param node its number in the program
     * @param via the edges that were taken to it; none at the entry of the run
     */
    record Enter(int scope, int node, List<EdgeId> via) implements WorkItem {
        public Enter {
            via = List.copyOf(via);
        }
    }

    /** Skip a node of a settling scope: every way into it is dead. */
    record Skip(int scope, int node) implements WorkItem {}

    /** Choose the edges of an activation that has its result. */
    record Route(int scope, ActivationId activation) implements WorkItem {}

    /**
     * Close the scopes that this edge leaves, innermost first, then follow it (R7).
     *
     * @param scope the innermost that is still to be closed; or, with a fork, the one that the fork lies in
     * @param fork the fork whose branches it is leaving, while they and the fork are to be closed
     */
    record Exit(int scope, EdgeId edge, @Nullable ActivationId fork) implements WorkItem {
        public Exit(int scope, EdgeId edge) {
            this(scope, edge, null);
        }
    }

    /** Open a fork's next branches, until its window is full (R4). */
    record Fan(int scope, ActivationId fork) implements WorkItem {}

    /** A fork's join has fired: close what still lives in its branches, then enter the join (R10). */
    record Fire(int scope, ActivationId fork) implements WorkItem {}

    /** Nothing in this nested scope is alive: judge it. */
    record Settle(int scope) implements WorkItem {}

    /** Undo what is next on the job of this scope instance (R24). */
    record Undo(int scope) implements WorkItem {}

    /** Let the first activation begin that was parked while the run drained (R25). */
    record Release() implements WorkItem {
        @Override
        public int scope() {
            return ScopeInstance.ROOT;
        }
    }
}
