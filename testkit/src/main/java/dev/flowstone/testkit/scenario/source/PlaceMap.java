package dev.flowstone.testkit.scenario.source;

import dev.flowstone.kernel.json.JsonParser.Place;
import java.util.HashMap;
import java.util.Map;

/** Where the values and the member names of a document began, by JSON pointer. */
final class PlaceMap {
    private final Map<String, Place> values = new HashMap<>();
    private final Map<String, Place> names = new HashMap<>();

    void value(String pointer, int line, int column) {
        values.put(pointer, new Place(line, column));
    }

    void name(String pointer, int line, int column) {
        names.put(pointer, new Place(line, column));
    }

    /** Of the nearest enclosing value if that one has no place: an alias stands for all that it repeats. */
    Place value(String pointer) {
        String at = pointer;
        Place place = values.get(at);
        while (place == null && !at.isEmpty()) {
            at = at.substring(0, at.lastIndexOf('/'));
            place = values.get(at);
        }
        return place == null ? new Place(1, 1) : place;
    }

    Place name(String pointer) {
        Place place = names.get(pointer);
        return place == null ? value(pointer) : place;
    }
}
