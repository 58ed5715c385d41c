package dev.flowstone.kernel.state;

/** Where an activation is (R5); the last four are final. */
public enum ActivationStatus {
    /** Opened; nothing waits for anybody yet. */
    READY,
    /** Waits for an answer or a timer, or has its result and no way on yet. */
    ACTIVE,
    COMPLETED,
    FAILED,
    SKIPPED,
    CANCELED;

    public boolean isFinal() {
        return this != READY && this != ACTIVE;
    }
}
