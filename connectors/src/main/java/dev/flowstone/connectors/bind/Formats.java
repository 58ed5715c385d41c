package dev.flowstone.connectors.bind;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A record's schema without its formats. They are for editors: a validator would assert them, and Java's types read other texts, such as
 * {@code PT1.5S} or a time of day without an offset.
 */
final class Formats {
    private Formats() {}

    static JsonObject without(JsonObject schema) {
        Map<String, JsonValue> kept = new LinkedHashMap<>();
        schema.members().forEach((keyword, value) -> {
            // A member of that name has a schema, not a text.
            if (!keyword.equals("format") || !(value instanceof JsonString)) {
                kept.put(keyword, without(value));
            }
        });
        return JsonObject.of(kept);
    }

    private static JsonValue without(JsonValue value) {
        return switch (value) {
            case JsonObject object -> without(object);
            case JsonArray array ->
                new JsonArray(array.items().stream().map(Formats::without).toList());
            default -> value;
        };
    }
}
