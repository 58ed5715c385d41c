package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What decisions ask of a program again and again, worked out once: numbered nodes, and how edges stand to scopes. */
public final class Topology {
    private final List<Place> places;
    private final boolean calls;
    private final Map<String, Place> byName;
    private final Place entry;
    private final Map<Integer, Composite> composites = new HashMap<>();
    private final Map<NodeId, ScopeId> gated;
    private final Map<ScopeId, List<NodeId>> gatedIn;
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
        this.calls = program.nodes().stream().anyMatch(Node.Call.class::isInstance);
        this.byName = names;
        this.entry = place(program.root().entry());
        this.undoes = nodes.stream()
                .anyMatch(node ->
                        node instanceof Node.Task task && task.compensation().isPresent());
        this.gated = gated(program);
        this.gatedIn = HashMap.newHashMap(gated.size());
        for (Node node : nodes) {
            ScopeId scope = gated.get(node.id());
            if (scope != null) {
                gatedIn.computeIfAbsent(scope, same -> new ArrayList<>()).add(node.id());
            }
        }
        composites(program, numbers);
    }

    private void composites(Program program, Map<NodeId, Integer> numbers) {
        Map<NodeId, List<Way>> exits = new HashMap<>();
        for (Edge edge : program.edges()) {
            Optional<NodeId> fork = composite(program, edge);
            fork.ifPresent(id -> exits.computeIfAbsent(id, it -> new ArrayList<>())
                    .add(new Way(edge, Way.Kind.EXIT, numbers.getOrDefault(edge.to(), -1))));
        }
        for (Node node : program.nodes()) {
            if (node instanceof Node.Fork fork) {
                composites.put(
                        numbers.getOrDefault(fork.id(), -1),
                        new Composite(numbers.getOrDefault(fork.join(), -1), exits.getOrDefault(fork.id(), List.of())));
            }
        }
    }

    /** What a fork is to the settling scope around it. */
    public Composite composite(Place fork) {
        return Objects.requireNonNull(composites.get(fork.number()), "only a fork has branches");
    }

    /**
     * Of a human task whose decisions gates use: the innermost scope around it and all of them, in whose instance its
     * newest decision is kept; null if nobody uses them.
     */
    public @Nullable ScopeId gatedScope(NodeId human) {
        return gated.get(human);
    }

    /** The human tasks whose decisions are kept in this scope. */
    public List<NodeId> gatedIn(ScopeId scope) {
        return gatedIn.getOrDefault(scope, List.of());
    }

    private static Map<NodeId, ScopeId> gated(Program program) {
        Map<NodeId, ScopeId> scopes = new HashMap<>();
        for (Node node : program.nodes()) {
            if (node instanceof Node.Task task && task.applies().isPresent()) {
                NodeId human = task.applies().get();
                ScopeId known = scopes.get(human);
                if (known != null || program.has(human)) {
                    ScopeId from = known == null ? program.node(human).scope() : known;
                    scopes.put(human, common(program, program.scope(from), program.scope(task.scope())));
                }
            }
        }
        return scopes;
    }

    private static ScopeId common(Program program, Scope one, Scope other) {
        Set<Scope> around = chain(program, other);
        for (Scope scope : chain(program, one)) {
            if (around.contains(scope)) {
                return scope.id();
            }
        }
        return program.root().id();
    }

    /** Whether any node starts children. */
    public boolean calls() {
        return calls;
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

    /** Whether a branch of this scope arrives at that join. */
    public boolean arrives(Scope scope, Place join) {
        return scope.fork().isPresent() && composite(place(scope.fork().get())).join() == join.number();
    }

    /** Whether a branch of this scope arrives at that join. */
    static boolean arrives(Program program, Scope scope, NodeId join) {
        return scope.fork().map(program::node).orElse(null) instanceof Node.Fork fork
                && fork.join().equals(join);
    }

    /** The fork whose branches an edge leaves for a node of the settling scope around them (R6), if it does that. */
    static Optional<NodeId> composite(Program program, Edge edge) {
        Node to = program.node(edge.to());
        Scope landing = program.scope(to.scope());
        if (landing.kind() != Scope.Kind.SETTLING || to instanceof Node.Join) {
            return Optional.empty();
        }
        Scope at = program.scope(program.node(edge.from()).scope());
        // Scopes whose parents lead in a circle are refused later; the walk must end all the same.
        for (int steps = program.scopes().size(); steps > 0; steps--) {
            if (at.parent().isEmpty() || at.id().equals(landing.id())) {
                return Optional.empty();
            }
            if (at.parent().get().equals(landing.id())) {
                return at.fork();
            }
            at = program.scope(at.parent().get());
        }
        return Optional.empty();
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
        if (arrives(program, from, edge.to())) {
            return Way.Kind.ARRIVING;
        }
        boolean right = to.parent().equals(Optional.of(from.id()))
                && to.entry().equals(edge.to())
                && to.fork().isEmpty();
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
            boolean inner = kind(program, edge) == Way.Kind.INNER;
            if (inner || composite(program, edge).isPresent()) {
                arrivals++;
            }
        }
        boolean out = scope.out().equals(Optional.of(node.id()));
        return new Place(numbers.getOrDefault(node.id(), -1), node, scope, List.copyOf(ways), arrivals, out);
    }

    /** The scopes around a scope, itself first, in order outwards. */
    static Set<Scope> chain(Program program, Scope scope) {
        Set<Scope> chain = new LinkedHashSet<>();
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
