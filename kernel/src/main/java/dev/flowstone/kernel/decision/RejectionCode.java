package dev.flowstone.kernel.decision;

/** Why a command was refused; stable. */
public enum RejectionCode {
    /** The run has been started already. */
    ALREADY_STARTED,
    /** No such run yet. */
    NOT_STARTED,
    /** The activation, timer or attempt doesn't exist. */
    NOT_FOUND,
    /** Settled already, with another answer. */
    CONFLICT,
    /** The command doesn't fit the run's or the activation's state. */
    INVALID_STATE,
    /** The command itself is malformed. */
    INVALID_COMMAND,
    /** A declared bound would be exceeded. */
    LIMIT_EXCEEDED,
    /** The channel keeps as many signals as it may. */
    SIGNAL_BUFFER_FULL,
    /** The input alone is longer than a run's context may be. */
    CONTEXT_TOO_LARGE,
    /** The actor is not among those who are asked, or it isn't their turn. */
    NOT_ASSIGNED,
    /** Another visit of the node is the one that waits (R14). */
    STALE_ACTIVATION,
    /** The subject has another version than the one that was decided on (R15). */
    STALE_SUBJECT_VERSION,
    /** The run is suspended, and its policy or the command is such that it can't wait. */
    SUSPENDED
}
