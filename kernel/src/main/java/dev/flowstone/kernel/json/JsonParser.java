package dev.flowstone.kernel.json;

/**
 * Reads RFC 8259 JSON, strictly: UTF-8 without a byte order mark, no duplicate member names, nothing after the value.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class JsonParser {
    private JsonParser() {}

    public static JsonValue parse(byte[] utf8) throws JsonSyntaxException {
        return parse(utf8, JsonLimits.DEFAULT);
    }

    public static JsonValue parse(byte[] utf8, JsonLimits limits) throws JsonSyntaxException {
        throw new JsonSyntaxException("not built yet", 1, 1, 0);
    }

    /** Like {@link #parse}, and remembers where each value began, for faults that name a line. */
    public static Located parseLocated(byte[] utf8, JsonLimits limits) throws JsonSyntaxException {
        throw new JsonSyntaxException("not built yet", 1, 1, 0);
    }

    /** A document and the places of its values. */
    public interface Located {
        JsonValue value();

        /** Where the value at this JSON pointer begins; of the nearest enclosing value if there is none. */
        Place place(String pointer);
    }

    /** A place in a text; both count from 1. */
    public record Place(int line, int column) {}
}
