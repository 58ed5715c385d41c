package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What decisions ask of a program again and again, worked out once: numbered nodes, and how edges stand to scopes. */
public final class Topology {
    private final List<Place> places;
    private final Map<String, Place> byName;
    private final Place entry;
    private final boolean undoes;

    Topology(Program program) {
        List<Node> nodes = program.nodes();
        Map<NodeId, Integer> numbers = HashMap.newHashMap(nodes.size());
        for (Node node : nodes) {
            numbers.put(node.id(), numbers.size());
        }
        List<Place> all = new ArrayList<>(nodes.size());
        Map<String, Place> names = HashMap.newHashMap(nodes.size());
        for (Node node : nodes) {
            Place place = place(program, numbers, node);
            all.add(place);
            names.put(node.id().value(), place);
        }
        this.places = List.copyOf(all);
        this.byName = names;
        this.entry = place(program.root().entry());
        this.undoes = nodes.stream()
                .anyMatch(node ->
                        node instanceof Node.Task task && task.compensation().isPresent());
    }

    public int size() {
        return places.size();
    }

    public Place place(int number) {
        return places.get(number);
    }

    public Place place(NodeId node) {
        Place place = byName.get(node.value());
        if (place == null) {
            throw new IllegalArgumentException("no node " + node + " in this program");
        }
        return place;
    }

    /** The node of this name, or null. */
    public @Nullable Place find(String name) {
        return byName.get(name);
    }

    /** The entry of the root scope. */
    public Place entry() {
        return entry;
    }

    /** Whether any of its tasks can be undone (R24). */
    public boolean undoes() {
        return undoes;
    }

    /** The kind of an edge (R6). What ProgramCheck refuses counts as an exit here. */
    static Way.Kind kind(Program program, Edge edge) {
        Scope from = program.scope(program.node(edge.from()).scope());
        Scope to = program.scope(program.node(edge.to()).scope());
        if (from.continuation().equals(Optional.of(edge.id()))) {
            return Way.Kind.CONTINUATION;
        }
        if (from.id().equals(to.id())) {
            return Way.Kind.INNER;
        }
        boolean right = to.parent().equals(Optional.of(from.id())) && to.entry().equals(edge.to());
        return right ? Way.Kind.ENTERING : Way.Kind.EXIT;
    }

    private static Place place(Program program, Map<NodeId, Integer> numbers, Node node) {
        Scope scope = program.scope(node.scope());
        List<Way> ways = new ArrayList<>();
        for (Edge edge : program.outgoing(node.id())) {
            ways.add(new Way(edge, kind(program, edge), numbers.getOrDefault(edge.to(), -1)));
        }
        int arrivals = 0;
        for (Edge edge : program.incoming(node.id())) {
            if (kind(program, edge) == Way.Kind.INNER) {
                arrivals++;
            }
        }
        boolean out = scope.out().equals(Optional.of(node.id()));
        return new Place(numbers.getOrDefault(node.id(), -1), node, scope, List.copyOf(ways), arrivals, out);
    }

    /** The scopes around a scope, itself first. */
    static Set<Scope> chain(Program program, Scope scope) {
        Set<Scope> chain = new HashSet<>();
        Scope at = scope;
        while (chain.add(at)) {
            Optional<Scope> parent = at.parent().map(program::scope);
            if (parent.isEmpty()) {
                break;
            }
            at = parent.get();
        }
        return chain;
    }
}
