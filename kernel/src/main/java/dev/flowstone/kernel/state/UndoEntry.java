package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.payload.Payload;
import org.jspecify.annotations.Nullable;

/** One thing on a stack of what can be undone (R24). */
public sealed interface UndoEntry {
    /** An activation whose effect is there, and what it answered. */
    record Done(ActivationId activation, Payload output) implements UndoEntry {}

    /**
     * Everything that was done in a scope that has closed; never empty.
     *
     * @param branch what could be seen there and nowhere else, if the scope was a branch
     */
    record Closed(UndoStack stack, @Nullable BranchState branch) implements UndoEntry {}
}
