package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Topology;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code context.omitted}: of what is left out of {@code context.data}, how many bytes it was, by node id. To ask for one costs O(log n).
 */
final class OmittedView extends AbstractMap<String, JsonValue> {
    private final DataView data;
    private final Topology topology;

    OmittedView(DataView data, Topology topology) {
        this.data = data;
        this.topology = topology;
    }

    @Override
    public @Nullable JsonValue get(@Nullable Object name) {
        Place place = name instanceof String text ? topology.find(text) : null;
        OptionalLong bytes = place == null ? OptionalLong.empty() : data.omitted(place);
        return bytes.isPresent() ? JsonNumber.of(bytes.getAsLong()) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return get(name) != null;
    }

    /** In the order of node ids. */
    @Override
    public Set<Entry<String, JsonValue>> entrySet() {
        Map<String, JsonValue> all = new LinkedHashMap<>();
        for (String name : data.keySet()) {
            JsonValue bytes = get(name);
            if (bytes != null) {
                all.put(name, bytes);
            }
        }
        return all.entrySet();
    }
}
