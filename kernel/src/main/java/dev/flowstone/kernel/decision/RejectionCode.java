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
    /** The run is suspended, and its policy or the command is such that it can't wait. */
    SUSPENDED
}
