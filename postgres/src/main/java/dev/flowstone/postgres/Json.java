package dev.flowstone.postgres;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;

/** JSON columns hold canonical exact bytes. */
final class Json {
    private Json() {}

    static byte[] write(JsonObject value) {
        return CanonicalJson.exact(value);
    }

    /** What the database gives back was written by us: anything else is a broken database. */
    static JsonObject read(byte[] stored) {
        try {
            return (JsonObject) JsonParser.parse(stored, JsonLimits.STORED);
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException("a stored JSON column is broken: " + e.getMessage(), e);
        }
    }
}
