package dev.flowstone.templates.workflow;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import java.util.Optional;

/**
 * A place in a definition that a value of the config goes into: {@code {"$config": "/channel"}}.
 *
 * @param at where it stands in the definition
 * @param pointer into the config
 * @param role of the value there
 */
record Placeholder(String at, JsonPointer pointer, Role role) {
    static final String KEY = "$config";

    Placeholder {
        requireNonNull(at);
        requireNonNull(pointer);
        requireNonNull(role);
    }

    /** Whether an object means to be one. */
    static boolean isMeant(JsonObject object) {
        return object.get(KEY) != null;
    }

    /** What an object that means to be one points at, if it does. */
    static Optional<JsonPointer> pointer(JsonObject object) {
        if (object.members().size() != 1 || !(object.get(KEY) instanceof JsonString(String text))) {
            return Optional.empty();
        }
        try {
            return Optional.of(JsonPointer.parse(text))
                    .filter(it -> !it.tokens().isEmpty());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
