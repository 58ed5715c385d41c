package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.net.http.HttpHeaders;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What a route answered.
 *
 * @param status 200 to 299; 404 of a {@code DELETE} whose attempt before may have worked
 * @param body as it is; JSON's null if there is none
 */
public record RouteAnswer(int status, HttpHeaders headers, JsonNode body) {
    public RouteAnswer {
        requireNonNull(headers);
        requireNonNull(body);
    }

    /** Of what was told or changed ({@code ETag}), if it has one. */
    public Optional<Long> revision() {
        return headers.firstValue("ETag")
                .filter(tag -> tag.matches("\"r[0-9]{1,18}\""))
                .map(tag -> Long.valueOf(tag.substring(2, tag.length() - 1)));
    }
}
