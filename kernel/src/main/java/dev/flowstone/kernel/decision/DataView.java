package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Topology;
import dev.flowstone.kernel.state.ChildResult;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.NodeState;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code context.data}: the newest output or error of every node that has one, by node id; inside a
 * branch, the branch's own where it has one, because others may have visited the same nodes since. Immutable; looking one
 * up costs O(log n), and only walking through all of it costs more. Values that stand elsewhere are resolved when asked for.
 */
final class DataView extends AbstractMap<String, JsonValue> {
    private final Env env;
    private final Topology topology;
    private final LongMap<NodeState> nodes;
    private final List<LongMap<Payload>> branches;

    private final @Nullable String other;
    private final @Nullable Payload answer;

    DataView(Env env, Draft draft, List<LongMap<Payload>> branches, @Nullable NodeId node, @Nullable Payload answer) {
        this.env = env;
        this.topology = draft.topology();
        this.nodes = draft.nodes();
        this.branches = branches;
        this.other = node == null ? null : node.value();
        this.answer = answer;
    }

    @Override
    public @Nullable JsonValue get(@Nullable Object name) {
        if (answer != null && name != null && name.equals(other)) {
            return RunRoots.value(env, answer);
        }
        Place place = name instanceof String text ? topology.find(text) : null;
        if (place == null) {
            return null;
        }
        for (LongMap<Payload> own : branches) {
            Payload result = own.get(place.number());
            if (result != null) {
                return seen(place, result);
            }
        }
        NodeState node = nodes.get(place.number());
        return node == null || node.result() == null ? null : seen(place, node.result());
    }

    private JsonValue seen(Place place, Payload result) {
        return ChildResult.seen(place.node(), result, RunRoots.value(env, result));
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        Place place = name instanceof String text ? topology.find(text) : null;
        NodeState node = place == null ? null : nodes.get(place.number());
        return node != null && node.result() != null;
    }

    /** In the order of node ids. */
    @Override
    public Set<Entry<String, JsonValue>> entrySet() {
        return new Entries();
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        nodes.forEach((number, node) -> {
            if (node.result() != null) {
                names.add(topology.place((int) number).node().id().value());
            }
        });
        return names;
    }

    private final class Entries extends AbstractSet<Entry<String, JsonValue>> {
        @Override
        public int size() {
            return names().size();
        }

        @Override
        public Iterator<Entry<String, JsonValue>> iterator() {
            List<Entry<String, JsonValue>> entries = new ArrayList<>();
            for (String name : names()) {
                JsonValue value = get(name);
                if (value != null) {
                    entries.add(Map.entry(name, value));
                }
            }
            return entries.iterator();
        }
    }
}
