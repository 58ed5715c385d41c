package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.json.JsonValue;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Variables as a map by name, in order. Immutable; looking one up costs O(log n), only walking through all costs more. */
final class VariableView extends AbstractMap<String, JsonValue> {
    private final SortedTree<String, Variable> variables;

    VariableView(SortedTree<String, Variable> variables) {
        this.variables = variables;
    }

    @Override
    public @Nullable JsonValue get(@Nullable Object name) {
        Variable variable = name instanceof String text ? variables.get(text) : null;
        return variable == null ? null : variable.value();
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return get(name) != null;
    }

    @Override
    public Set<Entry<String, JsonValue>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return variables.size();
            }

            @Override
            public Iterator<Entry<String, JsonValue>> iterator() {
                return variables.values().stream()
                        .map(variable -> Map.entry(variable.name(), variable.value()))
                        .iterator();
            }
        };
    }
}
