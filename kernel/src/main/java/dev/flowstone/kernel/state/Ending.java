package dev.flowstone.kernel.state;

/** Why a run is on its way to its end, before everything has settled. */
public enum Ending {
    /** It isn't. */
    NONE,
    /** An unhandled failure or the deadline: what lives is canceled, the rest skipped (R23). */
    FAILING,
    /** A terminating End was reached: the same, but the run's outcome is the End's (R7). */
    TERMINATING
}
