package dev.flowstone.engine.workflow;

import static java.util.Objects.requireNonNull;

/**
 * A published version.
 *
 * @param version the new one, or the one that the same definition already had
 * @param created whether it is new
 */
public record Published(WorkflowRow row, int version, boolean created) {
    public Published {
        requireNonNull(row);
    }
}
