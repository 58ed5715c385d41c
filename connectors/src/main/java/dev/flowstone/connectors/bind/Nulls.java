package dev.flowstone.connectors.bind;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A parameter that is null counts as left out, as it does for {@code core.http}; but where any JSON has to stand, null is a value. */
final class Nulls {
    private Nulls() {}

    static JsonValue without(JsonValue value, @Nullable JsonValue schema) {
        if (!(schema instanceof JsonObject rules)) {
            return value;
        }
        return switch (value) {
            case JsonObject object -> object(object, rules);
            case JsonArray array ->
                new JsonArray(array.items().stream()
                        .map(item -> without(item, rules.get("items")))
                        .toList());
            default -> value;
        };
    }

    private static JsonObject object(JsonObject object, JsonObject rules) {
        Map<String, JsonValue> kept = new LinkedHashMap<>();
        object.members().forEach((name, member) -> {
            @Nullable JsonValue rule = rules.get("properties") instanceof JsonObject known ? known.get(name) : null;
            boolean leftOut = member == JsonNull.NULL && rule instanceof JsonObject typed && typed.get("type") != null;
            if (!leftOut) {
                kept.put(name, without(member, rule == null ? rules.get("additionalProperties") : rule));
            }
        });
        return JsonObject.of(kept);
    }
}
