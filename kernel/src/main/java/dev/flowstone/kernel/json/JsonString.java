package dev.flowstone.kernel.json;

/** A JSON string. Any text that has a UTF-8 form, U+0000 included; refuses lone surrogates. */
public record JsonString(String value) implements JsonValue {
    public JsonString {
        Utf8.requireEncodable("JSON string", value);
    }
}
