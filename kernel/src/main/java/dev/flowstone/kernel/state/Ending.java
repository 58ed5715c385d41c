package dev.flowstone.kernel.state;

/** Why a run is on its way to its end, before everything has settled. */
public enum Ending {
    /** It isn't. */
    NONE,
    /** An unhandled failure or the deadline: what lives is canceled, the rest skipped (R23). */
    FAILING,
    /** A terminating End was reached: the same, but the run's outcome is the End's (R7). */
    TERMINATING,
    /** It was canceled: the same, then what was done is undone if that was asked for. */
    CANCELING,
    /** It was terminated: the same, without waiting for anybody. */
    KILLED,
    /** It goes back to an earlier point: the same, then what was done since is undone and the run goes on. */
    ROLLING_BACK
}
