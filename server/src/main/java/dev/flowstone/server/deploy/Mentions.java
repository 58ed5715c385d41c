package dev.flowstone.server.deploy;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import java.util.Set;

/** Which names stand in a definition, whatever its format: a call names what it calls by a text of its own. */
final class Mentions {
    private Mentions() {}

    static void of(JsonValue value, Set<String> names, Set<String> found) {
        switch (value) {
            case JsonString(String text) when names.contains(text) -> found.add(text);
            case JsonArray(List<JsonValue> items) -> items.forEach(item -> of(item, names, found));
            case JsonObject object -> object.members().values().forEach(member -> of(member, names, found));
            default -> {
                // Names are texts.
            }
        }
    }
}
