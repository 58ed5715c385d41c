package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import tools.jackson.databind.JsonNode;

/**
 * Whose a thing outside is.
 *
 * @param executionId who linked it first, and owns it for ever
 * @param content what it was linked with then
 */
public record FoundLink(String executionId, JsonNode content) {
    public FoundLink {
        requireNonNull(executionId);
        requireNonNull(content);
    }
}
