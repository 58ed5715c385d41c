package dev.flowstone.kernel.json;

/**
 * The canonical writer, in two named forms. <i>Exact</i>, which events, payloads and programs are stored and hashed in;
 * <i>strict</i> is RFC 8785.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class CanonicalJson {
    private CanonicalJson() {}

    /** UTF-8 bytes of the exact form. */
    public static byte[] exact(JsonValue value) {
        throw new IllegalStateException("not built yet");
    }

    /** UTF-8 bytes of the RFC 8785 form; every number becomes the nearest double's. */
    public static byte[] strict(JsonValue value) {
        throw new IllegalStateException("not built yet");
    }

    public static String exactText(JsonValue value) {
        return new String(exact(value), java.nio.charset.StandardCharsets.UTF_8);
    }
}
