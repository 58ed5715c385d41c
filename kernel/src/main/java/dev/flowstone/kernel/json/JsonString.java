package dev.flowstone.kernel.json;

import static java.util.Objects.requireNonNull;

/** A JSON string. */
public record JsonString(String value) implements JsonValue {
    public JsonString {
        requireNonNull(value);
    }
}
