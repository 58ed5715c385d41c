package dev.flowstone.dialect.states.model;

/** What a state does. */
public enum Body {
    /** Steps, one after another. */
    TASKS,
    HUMAN,
    WAIT,
    SEND,
    CALL,
    TIMER,
    ASSIGN,
    PARALLEL,
    FOR_EACH,
    ACQUIRE,
    RELEASE,
    END,
    /** Nothing: it only chooses. */
    CHOICE
}
