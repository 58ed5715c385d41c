package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.ForkState;
import dev.flowstone.kernel.state.NodeState;
import dev.flowstone.kernel.state.ScopeInstance;

/**
 * Tells a loop that never waits from a node that many branches visit once (R4). Every branch of the forks around a node may
 * visit it as often as a run without forks may; a loop is found all the same, for it has no end.
 */
final class Runaway {
    private Runaway() {}

    /** Whether the next visit of this node is one too many. */
    static boolean isNext(Deciding deciding, NodeState node, int scope) {
        Draft state = deciding.state();
        long loops = node.loopsAfterNext(state.waits());
        long bound = deciding.bounds().visitsWithoutWait();
        // Branches are asked for only then: most nodes are never visited that often.
        return loops > bound && loops > bound * branches(state, scope, Math.ceilDiv(loops, bound));
    }

    /** Says that what came last was nothing that the run waited for; one that comes to its end visits nothing any more. */
    static void notAwaited(Deciding deciding) {
        Draft state = deciding.state();
        if (state.ending() == Ending.NONE && !state.status().isFinal()) {
            deciding.emit(new EventBody.WaitDiscounted());
        }
    }

    /** How many branches there are of the forks around, one in each of another; not counted beyond what is enough. */
    private static long branches(Draft state, int scope, long enough) {
        long all = 1;
        ScopeInstance at = state.tree().scope(scope);
        while (at != null && all < enough) {
            ForkState fork =
                    at.branch() == null ? null : state.tree().fork(at.branch().fork());
            all *= fork == null ? 1 : Math.clamp(fork.branches(), 1, enough);
            at = at.number() == 0 ? null : state.tree().scope(at.parent());
        }
        return all;
    }
}
