package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads lists of nodes' names. */
final class Names {
    private Names() {}

    static Optional<List<String>> read(Cursor value) {
        if (!(value.value() instanceof JsonArray)) {
            value.expected("a list of nodes");
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        for (Cursor item : value.items()) {
            item.text().ifPresent(names::add);
        }
        return Optional.of(names);
    }
}
