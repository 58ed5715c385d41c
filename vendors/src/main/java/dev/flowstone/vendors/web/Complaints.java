package dev.flowstone.vendors.web;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** How a vendor says in an answer what is wrong. */
@FunctionalInterface
public interface Complaints {
    /** For people; empty if the answer doesn't say. */
    String said(JsonNode body);

    /** How long it wants to be left alone, where the answer's head doesn't say. */
    default Optional<Duration> pause(JsonNode body) {
        return Optional.empty();
    }
}
