package dev.flowstone.kernel.state;

/**
 * A point that a run can roll back to.
 *
 * @param sequence of the event with which the node was last completed
 * @param depth of the root scope's stack when it was entered
 */
public record Mark(long sequence, int depth) {}
