package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.kernel.event.ControlEvent.Migrated;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A run was moved to another program (R26): what was known by the names of its nodes goes by the new ones from then on. */
final class Renamed {
    private Renamed() {}

    static NodeId now(Migrated moved, NodeId node) {
        return moved.nodes().getOrDefault(node, node);
    }

    static ActivationId now(Migrated moved, ActivationId id) {
        NodeId name = moved.nodes().get(id.node());
        return name == null ? id : new ActivationId(name, id.visit());
    }

    /** Puts each into the place of what it was; two may change their places. */
    static <T> void all(Collection<T> known, UnaryOperator<T> now) {
        Collection<T> before = new ArrayList<>(known);
        known.clear();
        before.forEach(one -> known.add(now.apply(one)));
    }

    /** The same for what is known by something. */
    static <K, V> void keys(Map<K, V> known, UnaryOperator<K> now) {
        Map<K, V> before = new HashMap<>(known);
        known.clear();
        before.forEach((key, value) -> known.put(now.apply(key), value));
    }
}
