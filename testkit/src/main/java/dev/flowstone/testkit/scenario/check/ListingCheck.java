package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A list of things that are open: these and no others, in order. Of each, what isn't said doesn't count; a text stands for
 * an object with that one member.
 */
record ListingCheck(Listing listing, JsonArray expected) implements Check {
    static Optional<Check> tasks(Cursor value) {
        return read(Listing.TASKS, value);
    }

    static Optional<Check> incidents(Cursor value) {
        return read(Listing.INCIDENTS, value);
    }

    static Optional<Check> awaits(Cursor value) {
        return read(Listing.AWAITS, value);
    }

    private static Optional<Check> read(Listing listing, Cursor value) {
        List<JsonValue> items = new ArrayList<>();
        for (Cursor item : value.items()) {
            if (item.value() instanceof JsonString) {
                items.add(JsonObject.builder()
                        .put(listing.members().getFirst(), item.value())
                        .build());
            } else {
                item.members(listing.members());
                items.add(item.value());
            }
        }
        return Optional.of(new ListingCheck(listing, new JsonArray(items)));
    }

    @Override
    public List<String> differences(Observed run) {
        return JsonDiff.subset(expected, new JsonArray(listing.of(run)));
    }
}
