package dev.flowstone.connectors.registry;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The members that a schema knows of an object.
 *
 * @param names each with a line for people
 */
record SchemaMembers(Map<String, String> names, Set<String> required) {
    static SchemaMembers of(JsonObject schema) {
        Map<String, String> names = new LinkedHashMap<>();
        if (schema.get("properties") instanceof JsonObject properties) {
            properties.members().forEach((name, rule) -> names.put(name, note(rule)));
        }
        Set<String> required = schema.get("required") instanceof JsonArray listed
                ? listed.items().stream()
                        .filter(JsonString.class::isInstance)
                        .map(it -> ((JsonString) it).value())
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
        return new SchemaMembers(names, required);
    }

    boolean isRequired(String name) {
        return required.contains(name);
    }

    private static String note(JsonValue rule) {
        String type = text(rule, "type");
        String said = text(rule, "description");
        return type.isEmpty() || said.isEmpty() ? type + said : type + ", " + said;
    }

    private static String text(JsonValue rule, String keyword) {
        @Nullable JsonValue value = rule instanceof JsonObject object ? object.get(keyword) : null;
        return value instanceof JsonString(String text) ? text : "";
    }
}
