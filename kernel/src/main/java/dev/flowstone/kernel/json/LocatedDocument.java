package dev.flowstone.kernel.json;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A document with its bytes and the log of its places. Lines are counted, and a container's children are numbered, when
 * somebody first asks for one; after that a place costs little however large the document is. Not thread-safe.
 */
final class LocatedDocument implements JsonParser.Located {
    private final JsonValue value;
    private final byte[] utf8;
    private final PlaceLog places;
    private @Nullable LineIndex lines;

    /** By an object's ordinal: its members' ordinals by name. */
    private final Map<Integer, Map<String, Integer>> members = new HashMap<>();

    /** By an array's ordinal: its items' ordinals. */
    private final Map<Integer, int[]> items = new HashMap<>();

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
        return lines().place(places.valueOffset(ordinal(pointer)));
    }

    @Override
    public JsonParser.Place namePlace(String pointer) {
        return lines().place(places.nameOffset(ordinal(pointer)));
    }

    private LineIndex lines() {
        LineIndex known = lines;
        if (known == null) {
            known = new LineIndex(utf8);
            lines = known;
        }
        return known;
    }

    /** Which value the pointer names, in reading order, or the nearest one that encloses the place it names. */
    private int ordinal(String pointer) {
        JsonValue at = value;
        int ordinal = 0;
        for (String token : JsonPointer.parse(pointer).tokens()) {
            JsonValue child = JsonPointer.step(at, token);
            if (child == null) {
                return ordinal;
            }
            ordinal = switch (at) {
                case JsonObject object -> members(object, ordinal).getOrDefault(token, ordinal);
                case JsonArray array -> items(array, ordinal)[JsonPointer.index(array, token)];
                default -> ordinal;
            };
            at = child;
        }
        return ordinal;
    }

    private Map<String, Integer> members(JsonObject object, int ordinal) {
        return members.computeIfAbsent(ordinal, container -> {
            Map<String, Integer> ordinals = new HashMap<>();
            int next = container + 1;
            for (String name : object.members().keySet()) {
                ordinals.put(name, next);
                next = places.after(next);
            }
            return ordinals;
        });
    }

    private int[] items(JsonArray array, int ordinal) {
        return items.computeIfAbsent(ordinal, container -> {
            int[] ordinals = new int[array.items().size()];
            int next = container + 1;
            for (int i = 0; i < ordinals.length; i++) {
                ordinals[i] = next;
                next = places.after(next);
            }
            return ordinals;
        });
    }
}
