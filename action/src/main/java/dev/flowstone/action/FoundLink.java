package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

/**
 * A thing outside that is linked already.
 *
 * @param executionId who linked it first, and owns it for ever; perhaps this execution
 */
public record FoundLink(String executionId, ResourceLink link) {
    public FoundLink {
        requireNonNull(executionId);
        requireNonNull(link);
    }
}
