package dev.flowstone.kernel.state;

/** Where a run is. */
public enum RunStatus {
    RUNNING,
    /** Will fail when every attempt that was handed out has answered. */
    FAILING,
    SUCCEEDED,
    FAILED;

    /** Nothing can happen any more, but for attestations. */
    public boolean isFinal() {
        return this == SUCCEEDED || this == FAILED;
    }
}
