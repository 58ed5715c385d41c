package dev.flowstone.kernel.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An array being read. */
final class OpenArray extends OpenContainer {
    private final List<JsonValue> items = new ArrayList<>();

    OpenArray(@Nullable OpenContainer parent) {
        super(parent);
    }

    @Override
    void first(JsonInput in) {}

    @Override
    void add(JsonInput in, JsonValue value) {
        items.add(value);
    }

    @Override
    boolean more(JsonInput in) throws JsonSyntaxException {
        return comma(in, ']', "',' or ']' after an array's item");
    }

    @Override
    int nameOffset() {
        return -1;
    }

    @Override
    JsonValue value() {
        return new JsonArray(items);
    }
}
