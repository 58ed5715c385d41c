package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.program.Composite;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Way;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fork with its branches and its join counts as one node of a settling scope: its exits resolve together (R6). */
final class Composites {
    private Composites() {}

    /** The fork is over without its join: it was skipped, canceled, or has failed. */
    static void dead(Draft draft, int scope, Place fork) {
        resolve(draft, scope, fork, null);
        Queue.push(
                draft, new WorkItem.Skip(scope, draft.topology.composite(fork).join()));
    }

    /** Its join has fired: the join's own edges tell how it goes on, and nothing went out of the branches. */
    static void joined(Draft draft, int scope, Place fork) {
        resolve(draft, scope, fork, null);
    }

    /** An exit was taken, so everything else is dead: the fork's edges, the other exits, and the join with its edges. */
    static void left(Draft draft, int scope, Place fork, EdgeId exit) {
        Edges.resolve(draft, scope, fork, List.of());
        resolve(draft, scope, fork, exit);
        Queue.push(
                draft, new WorkItem.Skip(scope, draft.topology.composite(fork).join()));
    }

    private static void resolve(Draft draft, int scope, Place fork, @Nullable EdgeId taken) {
        Composite composite = draft.topology.composite(fork);
        for (Way exit : composite.exits()) {
            Edges.arrive(draft, scope, exit, exit.edge().id().equals(taken));
        }
    }
}
