package dev.flowstone.engine.workflow;

import static java.util.Objects.requireNonNull;

/**
 * A stored workflow.
 *
 * @param created whether the workflow, or the draft beside its active version, is new
 */
public record Saved(WorkflowRow row, boolean created) {
    public Saved {
        requireNonNull(row);
    }
}
