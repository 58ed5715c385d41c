package dev.flowstone.kernel.program;

/** How one operation reaches a child. */
public enum ChildPolicy {
    /** The same is done to the child. */
    CASCADE,
    /** The child goes on by itself; nobody waits for it any more. */
    DETACH,
    /** The child goes on; what it answers is kept until the parent goes on. Suspension only. */
    FENCE_PARENT_ONLY,
    /** The child is canceled. */
    CANCEL_CHILDREN,
    /** The operation waits until the child has ended, then happens. */
    COMPLETE_THEN_CANCEL,
    /** The parent goes on waiting. Timeout only. */
    WAIT;

    /** Whether a cancellation or a termination may reach a child like this: the parent ends, so it can't just go on waiting. */
    public boolean ends() {
        return switch (this) {
            case CASCADE, DETACH, CANCEL_CHILDREN, COMPLETE_THEN_CANCEL -> true;
            case FENCE_PARENT_ONLY, WAIT -> false;
        };
    }

    /** Whether a suspension may: it can't wait for a child, which may take for ever. */
    public boolean suspends() {
        return switch (this) {
            case CASCADE, DETACH, CANCEL_CHILDREN, FENCE_PARENT_ONLY -> true;
            case COMPLETE_THEN_CANCEL, WAIT -> false;
        };
    }

    /** Whether a call's timeout may: the parent is not held by it. */
    public boolean timesOut() {
        return switch (this) {
            case CASCADE, DETACH, CANCEL_CHILDREN, COMPLETE_THEN_CANCEL, WAIT -> true;
            case FENCE_PARENT_ONLY -> false;
        };
    }
}
