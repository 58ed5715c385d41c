package dev.flowstone.engine.limit;

/** How urgent work is. Neither starves while both wait: see {@link Turns}. */
public enum WorkClass {
    /** Somebody waits for it. */
    LATENCY_SENSITIVE,

    /** It only has to get done. */
    BULK
}
