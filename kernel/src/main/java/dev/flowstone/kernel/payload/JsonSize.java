package dev.flowstone.kernel.payload;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Map;

/** Guesses a value's length from above, without writing it; so that the many small ones are never encoded to be measured. */
final class JsonSize {
    /** A character takes at most three bytes of UTF-8, or six as an escape. */
    private static final int PER_CHARACTER = 6;

    private JsonSize() {}

    /** At least the bytes of the canonical form; stops counting beyond the limit. */
    static long atMost(JsonValue value, long limit) {
        return switch (value) {
            case JsonNull none -> 4;
            case JsonBoolean truth -> 5;
            case JsonNumber number -> number.decimalValue().precision() + 32L;
            case JsonString text -> quoted(text.value());
            case JsonArray array -> array(array, limit);
            case JsonObject object -> object(object, limit);
        };
    }

    private static long quoted(String text) {
        return 2 + (long) text.length() * PER_CHARACTER;
    }

    private static long array(JsonArray array, long limit) {
        long bytes = 2;
        for (JsonValue element : array.items()) {
            bytes += 1 + atMost(element, limit);
            if (bytes > limit) {
                break;
            }
        }
        return bytes;
    }

    private static long object(JsonObject object, long limit) {
        long bytes = 2;
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            bytes += 2 + quoted(member.getKey()) + atMost(member.getValue(), limit);
            if (bytes > limit) {
                break;
            }
        }
        return bytes;
    }
}
