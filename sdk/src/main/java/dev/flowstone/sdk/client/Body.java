package dev.flowstone.sdk.client;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A request's body, of what there is to say. */
final class Body {
    private final ObjectNode json = JsonNodeFactory.instance.objectNode();

    Body put(String name, String value) {
        json.put(name, value);
        return this;
    }

    /** A text, a number, a truth or JSON; nothing if it is empty. Times and others are said as their text. */
    Body put(String name, Optional<?> value) {
        value.ifPresent(it -> {
            switch (it) {
                case JsonNode node -> json.set(name, node);
                case Integer number -> json.put(name, number);
                case Long number -> json.put(name, number);
                case Boolean truth -> json.put(name, truth);
                default -> json.put(name, it.toString());
            }
        });
        return this;
    }

    /** Only if it is true. */
    Body flag(String name, boolean value) {
        if (value) {
            json.put(name, true);
        }
        return this;
    }

    Body put(String name, List<String> texts) {
        ArrayNode all = json.putArray(name);
        texts.forEach(all::add);
        return this;
    }

    ObjectNode json() {
        return json;
    }
}
