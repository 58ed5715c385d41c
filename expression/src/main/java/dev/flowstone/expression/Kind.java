package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;

/** What sort of value something is: for messages, and for {@code typeof}. */
final class Kind {
    private Kind() {}

    /** With its article, as in "an array". */
    static String of(Object value) {
        return switch (value) {
            case JsonNull none -> "null";
            case JsonBoolean truth -> "a boolean";
            case JsonString text -> "a string";
            case JsonArray array -> "an array";
            case JsonObject object -> "an object";
            case JsonNumber exact -> "a number";
            case Double computed -> "a number";
            default -> "undefined";
        };
    }

    static String typeof(Object value) {
        return switch (value) {
            case JsonBoolean truth -> "boolean";
            case JsonString text -> "string";
            case JsonNumber exact -> "number";
            case Double computed -> "number";
            case Undefined nothing -> "undefined";
            default -> "object";
        };
    }
}
