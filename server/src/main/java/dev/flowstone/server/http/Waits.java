package dev.flowstone.server.http;

/** What calls of a route wait for. Of each kind, but the first, there is a bounded number at once, so that none keeps out another. */
public enum Waits {
    /** Nothing that is scarce. */
    NOT,
    /** The commit of an execution's start. */
    START,
    /** The commit of what is asked of executions that there are: signals, people's decisions. */
    CALL
}
