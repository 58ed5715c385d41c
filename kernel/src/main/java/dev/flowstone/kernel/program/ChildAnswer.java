package dev.flowstone.kernel.program;

/** What a run's expressions see of a child that a call started, and what a child that was canceled counts as. */
public enum ChildAnswer {
    /** The child's output itself; a canceled child is the outcome {@code canceled}. */
    PLAIN,

    /**
     * {@code {"outputs": the child's output}}; of a spawned child {@code {"executionId": id, "outputs": null}}. A canceled
     * child is a failure. In canonical form the member is absent for {@link #PLAIN}, so that programs of releases before keep
     * their hashes.
     */
    WRAPPED
}
