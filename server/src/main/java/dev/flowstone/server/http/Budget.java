package dev.flowstone.server.http;

/** What a call counts against, where calls are limited. */
public enum Budget {
    /** Nothing: what is public says nothing of anybody and costs next to nothing. */
    NONE,
    /** The caller's; nothing if it is who runs the installation, who has to see how it fares above all when there is much to do. */
    WATCHING,
    /** The caller's. */
    CALLS,
    /** The caller's as a worker, who asks all the time. */
    WORKERS,
    /**
     * That of the webhook whose sender calls, or the one that all have together who prove nothing. The border counts nothing: a route
     * does so itself, once it has judged what came, by {@code call.tally().count(…)}.
     */
    WEBHOOKS;

    /** That of a route which takes this scope, if it says nothing else. */
    static Budget of(Scope scope) {
        return switch (scope) {
            case PUBLIC -> NONE;
            case METRICS_READ -> WATCHING;
            case TASKS_WORK -> WORKERS;
            default -> CALLS;
        };
    }
}
