package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import java.util.Optional;

/** What happens to forks, their branches and their joins (R6, R7, R10). */
public sealed interface ForkEvent extends EventBody {
    /**
     * A fork knows its branches; they open in windows (R4).
     *
     * @param branches how many there are
     * @param items the collection that it opens them for, as rendered, once and for all; empty if they are named
     */
    record ForkOpened(ActivationId fork, int branches, Optional<Payload> items) implements ForkEvent {
        public ForkOpened {
            requireNonNull(fork);
            requireNonNull(items);
        }
    }

    /**
     * A branch begins.
     *
     * @param branch its place in branch order, from 0
     * @param number of its scope's instance, unique in the run
     */
    record BranchOpened(ActivationId fork, int branch, ScopeId scope, int number) implements ForkEvent {
        public BranchOpened {
            requireNonNull(fork);
            requireNonNull(scope);
        }
    }

    /**
     * A branch ended by itself: it arrived at the join, or it died.
     *
     * @param number of its scope's instance, which is closed by this
     * @param omitted bytes of an output that the join's result has no room for; 0 if it has
     */
    record BranchEnded(ActivationId fork, int branch, int number, boolean arrived, Outcome outcome, int omitted)
            implements ForkEvent {
        public BranchEnded {
            requireNonNull(fork);
            requireNonNull(outcome);
        }
    }

    /** Branches that had not been opened yet, from this place on, never will be. */
    record BranchesDiscarded(ActivationId fork, int from, int branches) implements ForkEvent {
        public BranchesDiscarded {
            requireNonNull(fork);
        }
    }

    /**
     * A join's policy is met, or can't be met any more; what still lives in the branches ends next.
     *
     * @param outcome {@code success} or {@code unsatisfied}
     */
    record JoinFired(ActivationId fork, NodeId join, Outcome outcome, int branches, int ended, int arrived)
            implements ForkEvent {
        public JoinFired {
            requireNonNull(fork);
            requireNonNull(join);
            requireNonNull(outcome);
        }
    }

    /**
     * A branch that still lived when the join fired is closed; all that lived in it was canceled before.
     *
     * @param join the join that it lost
     * @param compensates whether what was done in it is to be undone (R24)
     */
    record BranchCanceled(ActivationId fork, int branch, int number, NodeId join, boolean compensates)
            implements ForkEvent {
        public BranchCanceled {
            requireNonNull(fork);
            requireNonNull(join);
        }
    }

    /** A branch that still lived when the join fired goes on by itself; where it leads to counts no more. */
    record BranchKept(ActivationId fork, int branch, int number, NodeId join) implements ForkEvent {
        public BranchKept {
            requireNonNull(fork);
            requireNonNull(join);
        }
    }

    /**
     * An exit out of a fork's branches leads on: the fork and all its branches are closed.
     *
     * @param number of the scope instance that it leads into
     */
    record ExitFollowed(ActivationId fork, EdgeId edge, int number) implements ForkEvent {
        public ExitFollowed {
            requireNonNull(fork);
            requireNonNull(edge);
        }
    }

    /**
     * An incident's scope closes: nobody needs to resolve it any more.
     *
     * @param incident number of the event that raised it
     */
    record IncidentDiscarded(long incident, ScopeId scope, int number) implements ForkEvent {
        public IncidentDiscarded {
            requireNonNull(scope);
        }
    }
}
