package dev.flowstone.kernel.command;

/** The four classes of a task's failure (enterprise.md §5.2). */
public enum FailureClass {
    /** May go better next time. */
    RETRYABLE,
    /** Never goes better. */
    PERMANENT,
    /** A policy said no. */
    POLICY_DENIED,
    /** The other side asked for patience. */
    EXTERNAL_LIMIT
}
