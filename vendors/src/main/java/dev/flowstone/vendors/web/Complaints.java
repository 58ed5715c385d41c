package dev.flowstone.vendors.web;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** How a vendor says in an answer what is wrong. */
@FunctionalInterface
public interface Complaints {
    Duration USUAL_PAUSE = Duration.ofSeconds(30);

    /** For people; empty if the answer doesn't say. */
    String said(JsonNode body);

    /** How long it wants to be left alone, where the answer's head doesn't say. */
    default Optional<Duration> pause(JsonNode body) {
        return Optional.empty();
    }

    /** How long it is left alone if it asks for that and doesn't say how long. */
    default Duration usualPause() {
        return USUAL_PAUSE;
    }

    /** What its own word for it means; empty if it has none, or none that is known. */
    default Optional<Fault> fault(JsonNode body) {
        return Optional.empty();
    }
}
