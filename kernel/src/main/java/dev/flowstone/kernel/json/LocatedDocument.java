package dev.flowstone.kernel.json;

import java.util.List;

/** A document with its bytes and the log of its places; lines and columns are counted only when somebody asks. */
final class LocatedDocument implements JsonParser.Located {
    private final JsonValue value;
    private final byte[] utf8;
    private final PlaceLog places;

    LocatedDocument(JsonValue value, byte[] utf8, PlaceLog places) {
        this.value = value;
        this.utf8 = utf8;
        this.places = places;
    }

    @Override
    public JsonValue value() {
        return value;
    }

    @Override
    public JsonParser.Place place(String pointer) {
        return JsonInput.place(utf8, places.valueOffset(ordinal(pointer)));
    }

    @Override
    public JsonParser.Place namePlace(String pointer) {
        return JsonInput.place(utf8, places.nameOffset(ordinal(pointer)));
    }

    /** Which value the pointer names, in reading order, or the nearest one that encloses the place it names. */
    private int ordinal(String pointer) {
        JsonValue at = value;
        int ordinal = 0;
        for (String token : JsonPointer.parse(pointer).tokens()) {
            int position = position(at, token);
            JsonValue child = JsonPointer.step(at, token);
            if (position < 0 || child == null) {
                return ordinal;
            }
            ordinal++;
            for (int i = 0; i < position; i++) {
                ordinal = places.after(ordinal);
            }
            at = child;
        }
        return ordinal;
    }

    /** How many siblings precede the child of this name or index; -1 if there is no such child. */
    private static int position(JsonValue parent, String token) {
        return switch (parent) {
            case JsonObject object -> List.copyOf(object.members().keySet()).indexOf(token);
            case JsonArray array -> JsonPointer.index(array, token);
            default -> -1;
        };
    }
}
