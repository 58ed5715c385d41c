package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.net.http.HttpHeaders;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * An answer of 2xx or 304.
 *
 * @param body JSON's null if it has none
 */
record Answered(int status, HttpHeaders headers, JsonNode body) {
    Answered {
        requireNonNull(headers);
        requireNonNull(body);
    }

    Optional<String> tag() {
        return headers.firstValue("ETag");
    }
}
