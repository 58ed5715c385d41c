package dev.flowstone.kernel.state;

/** Whether a run is held, whatever its status (R25). */
public enum Hold {
    NONE,
    /** Live work may finish, nothing outside is newly started. */
    DRAINING,
    /** Nothing is decided or dispatched. */
    SUSPENDED
}
