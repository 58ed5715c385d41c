package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.WorkflowId;

/** A run that the setting of a scope holds, as it has recorded. */
public record HeldRun(RunKey key, WorkflowId workflow) {
    public HeldRun {
        requireNonNull(key);
        requireNonNull(workflow);
    }
}
