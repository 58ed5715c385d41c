package dev.flowstone.vendors.monday;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A column of a board.
 *
 * @param settings as JSON text; of a status and a dropdown they have the labels
 */
record Column(String id, String title, String type, String settings) {
    private static final JsonMapper JSON = JsonMapper.shared();

    boolean isStatus() {
        return type.equals("status") || type.equals("color");
    }

    /** By which a label is asked for: a status's labels are {@code {"1": "Done"}}, a dropdown's {@code [{"id": 1, "name": "A"}]}. */
    Optional<Integer> label(String name) {
        JsonNode labels = labels();
        if (labels.isObject()) {
            return labels.properties().stream()
                    .filter(label -> label.getValue().asString("").equals(name))
                    .map(label -> Integer.valueOf(label.getKey()))
                    .findFirst();
        }
        for (JsonNode label : labels) {
            if (label.path("name").asString("").equals(name)) {
                return Optional.of(label.path("id").asInt(0));
            }
        }
        return Optional.empty();
    }

    private JsonNode labels() {
        try {
            return JSON.readTree(settings.isEmpty() ? "{}" : settings).path("labels");
        } catch (JacksonException e) {
            return JSON.createObjectNode();
        }
    }
}
