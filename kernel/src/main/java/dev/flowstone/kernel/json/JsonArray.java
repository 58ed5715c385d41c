package dev.flowstone.kernel.json;

import java.util.List;

/** A JSON array. */
public record JsonArray(List<JsonValue> items) implements JsonValue {
    public static final JsonArray EMPTY = new JsonArray(List.of());

    public JsonArray {
        items = List.copyOf(items);
    }

    public static JsonArray of(JsonValue... items) {
        return new JsonArray(List.of(items));
    }
}
