package dev.flowstone.testkit.scenario.source;

import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonParser.Place;
import dev.flowstone.kernel.json.JsonValue;

/** A YAML document with its places. */
record LocatedYaml(JsonValue value, PlaceMap places) implements JsonParser.Located {
    @Override
    public Place place(String pointer) {
        return places.value(pointer);
    }

    @Override
    public Place namePlace(String pointer) {
        return places.name(pointer);
    }
}
