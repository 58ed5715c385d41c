package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An immutable, content-addressed workflow. Scopes, nodes and edges are sorted by id, so that two compilers on two
 * machines give one hash. What the constructor can't see (cycles, jumps into scopes)
 * is ProgramCheck's to refuse.
 */
public final class Program {
    /**
     * The member of {@link #metadata} in which a dialect keeps, as an object, what holds for runs as a whole. The engine reads {@link #MOST_ACTIONS} of
     * it, whatever the dialect.
     */
    public static final String SETTINGS = "settings";

    /** How many attempts of one run may go on at once. */
    public static final String MOST_ACTIONS = "maxParallelActions";

    private static final Comparator<Edge> BY_PRIORITY =
            Comparator.comparingInt(Edge::priority).thenComparing(Edge::id);

    private final String dialect;
    private final int compiler;
    private final WorkflowId workflow;
    private final Map<ScopeId, Scope> scopes = new LinkedHashMap<>();
    private final Map<NodeId, Node> nodes = new LinkedHashMap<>();
    private final Map<EdgeId, Edge> edges = new LinkedHashMap<>();
    private final Map<NodeId, List<Edge>> outgoing = new LinkedHashMap<>();
    private final Map<NodeId, List<Edge>> incoming = new LinkedHashMap<>();
    private final Output output;
    private final Optional<Duration> deadline;
    private final JsonObject metadata;
    private final ContextRule context;
    private final Scope root;
    private final List<Scope> scopeList;
    private final List<Node> nodeList;
    private final List<Edge> edgeList;
    private final Topology topology;

    /** One whose runs keep what the installation allows, and fail beyond. */
    public Program(
            String dialect,
            int compiler,
            WorkflowId workflow,
            List<Scope> scopes,
            List<Node> nodes,
            List<Edge> edges,
            Output output,
            Optional<Duration> deadline,
            JsonObject metadata) {
        this(dialect, compiler, workflow, scopes, nodes, edges, output, deadline, metadata, ContextRule.DEFAULT);
    }

    /**
     * Builds a program.
     *
     * @param compiler version of the dialect's compiler; a stale one refuses only new starts
     * @param deadline of a run, from its start
     * @param metadata what features need (display name, input schema, milestone weights); the kernel never reads it
     * @param context how much its runs keep for their expressions
     * @throws IllegalArgumentException if an id occurs twice, a reference dangles, or there isn't exactly one root
     */
    public Program(
            String dialect,
            int compiler,
            WorkflowId workflow,
            List<Scope> scopes,
            List<Node> nodes,
            List<Edge> edges,
            Output output,
            Optional<Duration> deadline,
            JsonObject metadata,
            ContextRule context) {
        this.dialect = requireNonNull(dialect);
        this.compiler = compiler;
        this.workflow = requireNonNull(workflow);
        this.output = requireNonNull(output);
        this.deadline = requireNonNull(deadline);
        this.metadata = requireNonNull(metadata);
        this.context = requireNonNull(context);
        for (Scope scope : sorted(scopes, Comparator.comparing(Scope::id))) {
            once(this.scopes.put(scope.id(), scope) == null, "scope", scope.id());
        }
        for (Node node : sorted(nodes, Comparator.comparing(Node::id))) {
            once(this.nodes.put(node.id(), node) == null, "node", node.id());
            known(this.scopes.containsKey(node.scope()), "scope", node.scope());
            outgoing.put(node.id(), new ArrayList<>());
            incoming.put(node.id(), new ArrayList<>());
        }
        for (Edge edge : sorted(edges, Comparator.comparing(Edge::id))) {
            once(this.edges.put(edge.id(), edge) == null, "edge", edge.id());
            of(outgoing, edge.from()).add(edge);
            of(incoming, edge.to()).add(edge);
        }
        outgoing.replaceAll((node, list) -> sorted(list, BY_PRIORITY));
        incoming.replaceAll((node, list) -> List.copyOf(list));
        List<Scope> roots =
                this.scopes.values().stream().filter(s -> s.parent().isEmpty()).toList();
        if (roots.size() != 1) {
            throw new IllegalArgumentException("a program has one root scope, this one has " + roots.size());
        }
        this.root = roots.getFirst();
        for (Scope scope : this.scopes.values()) {
            known(this.nodes.containsKey(scope.entry()), "node", scope.entry());
            scope.parent().ifPresent(parent -> known(this.scopes.containsKey(parent), "scope", parent));
            scope.out().ifPresent(out -> known(this.nodes.containsKey(out), "node", out));
            scope.continuation().ifPresent(edge -> known(this.edges.containsKey(edge), "edge", edge));
            scope.fork().ifPresent(fork -> known(this.nodes.containsKey(fork), "node", fork));
        }
        for (Node node : this.nodes.values()) {
            if (node instanceof Node.Fork fork) {
                known(this.nodes.containsKey(fork.join()), "node", fork.join());
                fork.branches().scopes().forEach(id -> known(this.scopes.containsKey(id), "scope", id));
            }
        }
        this.scopeList = List.copyOf(this.scopes.values());
        this.nodeList = List.copyOf(this.nodes.values());
        this.edgeList = List.copyOf(this.edges.values());
        this.topology = new Topology(this);
    }

    public String dialect() {
        return dialect;
    }

    public int compiler() {
        return compiler;
    }

    public WorkflowId workflow() {
        return workflow;
    }

    public Output output() {
        return output;
    }

    public Optional<Duration> deadline() {
        return deadline;
    }

    public JsonObject metadata() {
        return metadata;
    }

    /** How much its runs keep for their expressions. */
    public ContextRule context() {
        return context;
    }

    public Scope root() {
        return root;
    }

    /** By id. */
    public List<Scope> scopes() {
        return scopeList;
    }

    /** By id. */
    public List<Node> nodes() {
        return nodeList;
    }

    /** By id. */
    public List<Edge> edges() {
        return edgeList;
    }

    public Scope scope(ScopeId id) {
        return found(scopes.get(id), "scope", id);
    }

    public Node node(NodeId id) {
        return found(nodes.get(id), "node", id);
    }

    /** Whether there is such a node. */
    public boolean has(NodeId id) {
        return nodes.containsKey(id);
    }

    public Edge edge(EdgeId id) {
        return found(edges.get(id), "edge", id);
    }

    /** In (priority, id) order. */
    public List<Edge> outgoing(NodeId node) {
        return of(outgoing, node);
    }

    /** By id. */
    public List<Edge> incoming(NodeId node) {
        return of(incoming, node);
    }

    /** Its nodes by number, and how its edges stand to its scopes. */
    public Topology topology() {
        return topology;
    }

    @Override
    public String toString() {
        return "Program[" + workflow + ", " + nodes.size() + " nodes, " + edges.size() + " edges]";
    }

    private static <T> List<T> sorted(List<T> list, Comparator<? super T> order) {
        return list.stream().sorted(order).toList();
    }

    private static List<Edge> of(Map<NodeId, List<Edge>> map, NodeId node) {
        return found(map.get(node), "node", node);
    }

    private static <T> T found(@org.jspecify.annotations.Nullable T value, String kind, Object id) {
        if (value == null) {
            throw new IllegalArgumentException("no " + kind + " " + id + " in this program");
        }
        return value;
    }

    private static void known(boolean there, String kind, Object id) {
        if (!there) {
            throw new IllegalArgumentException("no " + kind + " " + id + " in this program");
        }
    }

    private static void once(boolean first, String kind, Object id) {
        if (!first) {
            throw new IllegalArgumentException("two " + kind + "s named " + id);
        }
    }
}
