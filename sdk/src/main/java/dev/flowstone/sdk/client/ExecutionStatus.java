package dev.flowstone.sdk.client;

import java.util.Locale;

/** How an execution stands. */
public enum ExecutionStatus {
    /** It has not begun. */
    PENDING,
    /** It is under way, which it is while it waits, too. */
    RUNNING,
    /** It has ended well. */
    SUCCEEDED,
    /** It has failed. */
    FAILED,
    /** Somebody has canceled or terminated it. */
    CANCELLED,
    /** One that this release of the library doesn't know. */
    UNKNOWN;

    /** Whether nothing happens any more. */
    public boolean isOver() {
        return this == SUCCEEDED || this == FAILED || this == CANCELLED;
    }

    String wire() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
}
