package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.server.execution.Action.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The actions in a window, in the order in which they began. Whatever becomes of an attempt, it is offered to the window
 * once. Not thread-safe.
 */
final class ActionPage {
    /** The place of one that isn't in the window. */
    private static final int PASSED = -1;

    private final Window window;
    private final List<Action> kept = new ArrayList<>();
    private final Map<AttemptKey, Integer> places = new HashMap<>();

    ActionPage(Window window) {
        this.window = requireNonNull(window);
    }

    /** What an attempt is known by. */
    record AttemptKey(ActivationId activation, int attempt) {}

    List<Action> all() {
        return List.copyOf(kept);
    }

    /** Whether there are later ones than those kept. */
    boolean more() {
        return window.more();
    }

    /** One that begins; nothing happens if it did before. */
    void begin(AttemptKey key, Action action) {
        if (!places.containsKey(key)) {
            boolean taken = window.takes(action.sequence());
            places.put(key, taken ? kept.size() : PASSED);
            if (taken) {
                kept.add(action);
            }
        }
    }

    /** Nothing happens to one that isn't in the window. */
    void change(AttemptKey key, UnaryOperator<Action> change) {
        int place = places.getOrDefault(key, PASSED);
        if (place != PASSED) {
            kept.set(place, change.apply(kept.get(place)));
        }
    }

    /** All attempts of a visit. */
    void change(ActivationId activation, UnaryOperator<Action> change) {
        places.keySet().stream()
                .filter(key -> key.activation().equals(activation))
                .forEach(key -> change(key, change));
    }

    /** Each is known by its new name from now on, and shown under it if it isn't over. */
    void rename(Map<NodeId, NodeId> names) {
        kept.replaceAll(action -> {
            NodeId name = names.get(new NodeId(action.nodeId()));
            return name == null || action.status() != Status.RUNNING ? action : action.renamed(name.value());
        });
        rename(places, key -> new AttemptKey(renamed(key.activation(), names), key.attempt()));
    }

    static ActivationId renamed(ActivationId activation, Map<NodeId, NodeId> names) {
        NodeId name = names.get(activation.node());
        return name == null ? activation : new ActivationId(name, activation.visit());
    }

    /** No two visits of a run are ever called alike (R5), so that nothing is lost. */
    static <K, V> void rename(Map<K, V> map, UnaryOperator<K> name) {
        Map<K, V> before = Map.copyOf(map);
        map.clear();
        before.forEach((key, value) -> map.put(name.apply(key), value));
    }
}
