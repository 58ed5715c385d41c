package dev.flowstone.kernel.json;

/**
 * Reads RFC 8259 JSON, strictly: UTF-8 without a byte order mark, no duplicate member names, no lone surrogates, nothing
 * after the value. Whatever the bytes are, it answers a value or throws {@link JsonSyntaxException} and nothing else, in
 * time linear in their number (numbers beyond a few hundred digits excepted, which the limits bound).
 */
@SuppressWarnings("DoNotCallSuggester")
public final class JsonParser {
    private JsonParser() {}

    /** Reads within {@link JsonLimits#DEFAULT}. */
    public static JsonValue parse(byte[] utf8) throws JsonSyntaxException {
        return parse(utf8, JsonLimits.DEFAULT);
    }

    public static JsonValue parse(byte[] utf8, JsonLimits limits) throws JsonSyntaxException {
        return new DocumentReader(utf8, limits, null).read();
    }

    /**
     * Like {@link #parse}, and remembers where each value and each member name began, for faults that name a line. Keeps
     * the bytes, which must not change, and three ints per value.
     */
    public static Located parseLocated(byte[] utf8, JsonLimits limits) throws JsonSyntaxException {
        PlaceLog places = new PlaceLog();
        return new LocatedDocument(new DocumentReader(utf8, limits, places).read(), utf8, places);
    }

    /** A document and the places of its values. Pointers are RFC 6901's, as {@link JsonPointer} writes them. */
    public interface Located {
        JsonValue value();

        /** Where the value at this JSON pointer begins; of the nearest enclosing value if there is none. */
        Place place(String pointer);

        /** Where the name of the member at this pointer begins; like {@link #place} for what is no member. */
        Place namePlace(String pointer);
    }

    /** A place in a text; both count from 1. */
    public record Place(int line, int column) {}
}
