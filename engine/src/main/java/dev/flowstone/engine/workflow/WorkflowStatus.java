package dev.flowstone.engine.workflow;

/** The lifecycle of dataflow.md §3.0. */
public enum WorkflowStatus {
    DRAFT,
    ACTIVE,
    ARCHIVED
}
