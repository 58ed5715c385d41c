package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.payload.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thing on a stack of what can be undone (R24). */
public sealed interface UndoEntry {
    /**
     * An activation whose effect is there, and what it answered.
     *
     * @param earlier what its node was called before
     */
    record Done(ActivationId activation, Payload output, List<NodeId> earlier) implements UndoEntry {
        public Done {
            earlier = List.copyOf(earlier);
        }

        Done renamed(ActivationId name) {
            return new Done(name, output, NodeNames.with(earlier, activation.node(), name.node()));
        }
    }

    /**
     * Everything that was done in a scope that has closed; never empty.
     *
     * @param branch what could be seen there and nowhere else, if the scope was a branch
     */
    record Closed(UndoStack stack, @Nullable BranchState branch) implements UndoEntry {}
}
