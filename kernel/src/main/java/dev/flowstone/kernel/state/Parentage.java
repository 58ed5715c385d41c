package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.List;

/**
 * Whose child a run is.
 *
 * @param activation the parent's call
 * @param detached whether the parent no longer wants to know how it ends
 * @param root the run at the top of the tree
 * @param lineage the workflows above it, the topmost first
 */
public record Parentage(
        RunId parent,
        ActivationId activation,
        boolean awaited,
        boolean detached,
        RunId root,
        int depth,
        List<WorkflowId> lineage) {
    public Parentage {
        lineage = List.copyOf(lineage);
    }

    Parentage cutLoose() {
        return new Parentage(parent, activation, awaited, true, root, depth, lineage);
    }
}
