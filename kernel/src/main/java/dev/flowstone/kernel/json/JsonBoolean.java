package dev.flowstone.kernel.json;

/** The JSON values {@code true} and {@code false}. */
public enum JsonBoolean implements JsonValue {
    FALSE,
    TRUE;

    public static JsonBoolean of(boolean value) {
        return value ? TRUE : FALSE;
    }

    public boolean value() {
        return this == TRUE;
    }
}
