package dev.flowstone.vendors.monday;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A column of a board.
 *
 * @param settings as JSON, or as its text; of a status and a dropdown they have the labels
 */
record Column(String id, String title, String type, JsonNode settings) {
    private static final JsonMapper JSON = JsonMapper.shared();

    boolean isStatus() {
        return type.equals("status") || type.equals("color");
    }

    /**
     * By which a label is asked for. A status's labels are {@code [{"index": 1, "label": "Done"}]}, and before 2025-10 {@code {"1": "Done"}}; a
     * dropdown's {@code [{"id": 1, "label": "A"}]}, and before {@code [{"id": 1, "name": "A"}]}.
     */
    Optional<Integer> label(String name) {
        JsonNode labels = labels();
        if (labels.isObject()) {
            return labels.properties().stream()
                    .filter(label -> label.getValue().asString("").equals(name))
                    .flatMap(label -> number(label.getKey()).stream())
                    .findFirst();
        }
        for (JsonNode label : labels) {
            if (label.path("label").asString(label.path("name").asString("")).equals(name)) {
                return number((isStatus() ? label.path("index") : label.path("id")).asString(""));
            }
        }
        return Optional.empty();
    }

    /** What isn't one is no label's. */
    private static Optional<Integer> number(String text) {
        try {
            return Optional.of(Integer.valueOf(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private JsonNode labels() {
        try {
            return (settings.isString() ? JSON.readTree(settings.asString()) : settings).path("labels");
        } catch (JacksonException e) {
            return JSON.createObjectNode();
        }
    }
}
