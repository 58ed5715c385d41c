package dev.flowstone.sdk.client;

import java.util.Locale;

/** Where a workflow stands. */
public enum WorkflowStatus {
    /** It was never in use. */
    DRAFT,
    /** Executions may be started. */
    ACTIVE,
    /** No more executions are started. */
    ARCHIVED,
    /** One that this release of the library doesn't know. */
    UNKNOWN;

    String wire() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
}
