package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.payload.Payload;

/** One thing on a stack of what can be undone (R24). */
public sealed interface UndoEntry {
    /** An activation whose effect is there, and what it answered. */
    record Done(ActivationId activation, Payload output) implements UndoEntry {}

    /** Everything that was done in a scope that has closed; never empty. */
    record Closed(UndoStack stack) implements UndoEntry {}
}
