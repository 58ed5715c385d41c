package dev.flowstone.action;

/** What is to be done about a failure. */
public enum FailureKind {
    /** Trying again won't help. */
    PERMANENT,
    /** Trying again may help. */
    RETRIABLE,
    /** The other side has had enough for now. */
    EXTERNAL_LIMIT,
    /** Somebody forbids it; trying again won't help either. */
    POLICY_DENIED
}
