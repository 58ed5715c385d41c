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
    WAIT
}
