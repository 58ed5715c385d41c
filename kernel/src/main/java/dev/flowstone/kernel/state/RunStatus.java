package dev.flowstone.kernel.state;

/** Where a run is. */
public enum RunStatus {
    RUNNING,
    /** Will fail when every attempt that was handed out has answered. */
    FAILING,
    /** Will be canceled or terminated when what lives has ended. */
    CANCELING,
    /** What was done is being undone, before the run ends or goes on from an earlier point (R24). */
    COMPENSATING,
    SUCCEEDED,
    FAILED,
    CANCELED,
    TERMINATED;

    /** Nothing can happen any more, but for attestations. */
    public boolean isFinal() {
        return switch (this) {
            case RUNNING, FAILING, CANCELING, COMPENSATING -> false;
            case SUCCEEDED, FAILED, CANCELED, TERMINATED -> true;
        };
    }
}
