package dev.flowstone.connectors.catalog;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.nio.charset.StandardCharsets;

/** JSON Schema as text, which somebody has read before, or which is Flowstone's own. */
final class SchemaText {
    private SchemaText() {}

    static JsonObject read(String schema) {
        try {
            return (JsonObject) JsonParser.parse(schema.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException("a schema that was read is JSON", e);
        }
    }
}
