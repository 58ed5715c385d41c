package dev.flowstone.kernel.json;

/** The JSON value {@code null}. */
public enum JsonNull implements JsonValue {
    NULL
}
