package dev.flowstone.kernel.program;

/** What a human task does when its subject changes by somebody else's doing, and its decisions are void (R15). */
public enum Drift {
    /** It asks again, for the new version. */
    GO_ON,
    /** It fails, with {@code WORKFLOW_VERSION_DRIFT}. */
    FAIL,
    /** It ends with the outcome {@link Outcome#DRIFT}. */
    EXIT
}
