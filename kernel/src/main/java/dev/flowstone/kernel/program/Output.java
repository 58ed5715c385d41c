package dev.flowstone.kernel.program;

/** What a run's output is made of. */
public enum Output {
    /** The output of the one succeeded terminal node, or a map by node id if there are several. */
    TERMINALS
}
