package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.expression.OmittedException;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ContextRule.Overflow;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Topology;
import dev.flowstone.kernel.state.ChildResult;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.NodeState;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code context.data}: the newest output or error of every node that has one, by node id; inside a
 * branch, the branch's own where it has one, because others may have visited the same nodes since. Immutable; looking one
 * up costs O(log n), and only walking through all of it costs more. Values that stand elsewhere are resolved when asked for;
 * to ask for one that was left out of the run's data raises {@link OmittedException}, and to ask for names doesn't.
 */
final class DataView extends AbstractMap<String, JsonValue> {
    private static final String REMEDY =
            "; the node's attempts show it. Ask context.omitted before reading it, or allow more (context.maxBytes).";

    private final Env env;
    private final Topology topology;
    private final Overflow rule;
    private final LongMap<NodeState> nodes;
    private final List<LongMap<Payload>> branches;

    private final @Nullable String other;
    private final @Nullable Payload answer;

    DataView(Env env, Draft draft, List<LongMap<Payload>> branches, @Nullable NodeId node, @Nullable Payload answer) {
        this.env = env;
        this.topology = draft.topology();
        this.rule = draft.program().context().overflow();
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
        Payload own = own(place);
        if (own != null) {
            return seen(place, own);
        }
        NodeState node = nodes.get(place.number());
        if (node == null || node.result() == null) {
            return null;
        }
        if (node.leftOut()) {
            throw new OmittedException(sentence(place, node));
        }
        return seen(place, node.result());
    }

    private boolean isAnswered(String name) {
        return answer != null && name.equals(other);
    }

    private @Nullable Payload own(Place place) {
        for (LongMap<Payload> own : branches) {
            Payload result = own.get(place.number());
            if (result != null) {
                return result;
            }
        }
        return null;
    }

    /** Of how many bytes a node's output was that is left out of what is seen here. */
    OptionalLong omitted(Place place) {
        NodeState node = nodes.get(place.number());
        if (node == null || isAnswered(place.node().id().value()) || own(place) != null) {
            return OptionalLong.empty();
        }
        return node.omittedBytes();
    }

    private String sentence(Place place, NodeState node) {
        String what = "The output of '" + place.node().id() + "' ("
                + node.omittedBytes().orElse(0) + " bytes) was left out of the run's data by ";
        return switch (rule) {
            case AUTO_PRUNE_OLDEST -> what + "AutoPruneOldest" + REMEDY;
            case DROP_OVERSIZE -> what + "DropOversize" + REMEDY;
            case FAIL -> what + "the overflow rule of an earlier version; the node's attempts show it.";
        };
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

    /** Looks at no value. */
    @Override
    public Set<String> keySet() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(names()));
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
