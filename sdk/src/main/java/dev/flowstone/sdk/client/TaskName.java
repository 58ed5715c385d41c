package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

/**
 * Which task of people.
 *
 * @param activation the node and its visit, such as {@code review#1}
 */
public record TaskName(String executionId, String activation) {
    public TaskName {
        requireNonNull(executionId);
        requireNonNull(activation);
    }
}
