package dev.flowstone.engine.stuck;

import java.util.Locale;

/** What an operator can do about a run that stands still. */
public enum Help {
    /** Make its rows anew from its log. */
    REBUILD,
    /** Have its shard take it up again. */
    REENQUEUE,
    /** End it as failed. */
    FORCE_FAIL,
    /** End it at once: it is on its way to another end already. */
    TERMINATE,
    /** Start workers that do what it waits for. */
    START_WORKERS;

    /** As routes and commands spell it: {@code force-fail}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
