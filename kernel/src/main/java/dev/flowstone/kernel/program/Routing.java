package dev.flowstone.kernel.program;

/** How a node chooses among the candidate edges of its outcome (R8). */
public enum Routing {
    /** Every candidate whose condition holds; settling scopes only. */
    ALL,
    /** The first candidate, in (priority, id) order, whose condition holds; no further one is evaluated. */
    FIRST
}
