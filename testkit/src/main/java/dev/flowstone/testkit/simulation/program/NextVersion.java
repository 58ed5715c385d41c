package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.simulation.world.Dice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Another version of a program, a little different: nodes have other names, some are new, tasks are tried more or less often,
 * edges wait for something else or lead elsewhere.
 *
 * @param names new names of nodes by old ones
 */
public record NextVersion(Program program, Map<NodeId, NodeId> names) {
    private static final List<String> CONDITIONS = List.of("true", "false", "trigger.x", "variables.v0 == 'one'");

    public NextVersion {
        names = Map.copyOf(names);
    }

    /** The one that follows this in a world. Never a faulty one. */
    public static NextVersion of(long seed, Program program) {
        Dice dice = new Dice(seed, "next version", program.workflow());
        Change change = new Change(program, dice);
        for (int changes = dice.between(1, 4); changes > 0; changes--) {
            switch (dice.below(8)) {
                case 0, 1, 2 -> change.rename();
                case 3, 4 -> change.insert("x" + changes);
                case 5 -> change.condition();
                case 6 -> change.redirect();
                default -> change.task();
            }
        }
        Program next = change.program();
        for (ProgramFault fault : ProgramCheck.faults(next)) {
            if (fault.code() != ProgramFault.Code.UNREACHABLE) {
                throw new IllegalStateException("the generator made a faulty next version: " + fault);
            }
        }
        return new NextVersion(next, change.names);
    }

    /** A version in the making. */
    private static final class Change {
        private final Program before;
        private final Dice dice;
        private final Map<NodeId, Node> nodes = new LinkedHashMap<>();
        private final Map<EdgeId, Edge> edges = new LinkedHashMap<>();
        private final Map<NodeId, NodeId> names = new HashMap<>();

        Change(Program before, Dice dice) {
            this.before = before;
            this.dice = dice;
            before.nodes().forEach(node -> nodes.put(node.id(), node));
            before.edges().forEach(edge -> edges.put(edge.id(), edge));
        }

        /** Takes effect when all else is done: until then nodes have their old names. */
        void rename() {
            NodeId node = dice.pick(before.nodes()).id();
            names.put(node, new NodeId("z" + node));
        }

        /** One more node on an edge inside a scope. */
        void insert(String id) {
            List<Edge> inside = edges.values().stream()
                    .filter(edge -> isInside(edge) && !isWayOut(edge))
                    .toList();
            if (inside.isEmpty()) {
                return;
            }
            Edge edge = dice.pick(inside);
            ScopeId scope = node(edge.from()).scope();
            NodeId added = new NodeId(id);
            nodes.put(added, added(added, scope));
            edges.put(edge.id(), to(edge, added));
            EdgeId on = new EdgeId(id + "->" + edge.to());
            edges.put(
                    on,
                    new Edge(
                            on,
                            added,
                            edge.to(),
                            Outcome.SUCCESS,
                            Optional.empty(),
                            false,
                            0,
                            new Origin("/edges/" + id)));
        }

        private Node added(NodeId id, ScopeId scope) {
            Routing routing = isSettling(scope) ? Routing.ALL : Routing.FIRST;
            Origin origin = new Origin("/nodes/" + id);
            return switch (dice.below(3)) {
                case 0 -> new Node.Choice(id, scope, routing, true, origin);
                case 1 -> new Node.Timer(id, scope, new Due.After(new JsonString("PT3S")), routing, true, origin);
                default -> new Node.Assign(id, scope, Map.of("v0", new JsonString("two")), routing, true, origin);
            };
        }

        /** An edge waits for something else. */
        void condition() {
            List<Edge> free = edges.values().stream()
                    .filter(edge -> !edge.otherwise() && !isWayOut(edge))
                    .toList();
            if (!free.isEmpty()) {
                Edge edge = dice.pick(free);
                Optional<String> when = dice.percent(50) ? Optional.of(dice.pick(CONDITIONS)) : Optional.empty();
                edges.put(
                        edge.id(),
                        new Edge(
                                edge.id(),
                                edge.from(),
                                edge.to(),
                                edge.on(),
                                when,
                                false,
                                dice.below(3),
                                edge.as(),
                                edge.origin()));
            }
        }

        /** An edge leads to another node of its flow scope, where ways may go round. */
        void redirect() {
            List<Edge> inFlow = edges.values().stream()
                    .filter(edge -> isInside(edge)
                            && !isWayOut(edge)
                            && !isSettling(node(edge.from()).scope()))
                    .toList();
            if (inFlow.isEmpty()) {
                return;
            }
            Edge edge = dice.pick(inFlow);
            List<NodeId> others = new ArrayList<>();
            for (Node node : nodes.values()) {
                boolean fits = node.scope().equals(node(edge.from()).scope())
                        && !(node instanceof Node.Join)
                        && !(node instanceof Node.Start);
                if (fits) {
                    others.add(node.id());
                }
            }
            edges.put(edge.id(), to(edge, others.isEmpty() ? edge.to() : dice.pick(others)));
        }

        /** A task is tried more or less often. */
        void task() {
            List<Node.Task> tasks = nodes.values().stream()
                    .filter(Node.Task.class::isInstance)
                    .map(Node.Task.class::cast)
                    .toList();
            if (!tasks.isEmpty()) {
                Node.Task task = dice.pick(tasks);
                Retry retry = new Retry(dice.between(1, 4), Duration.ofSeconds(1), 2, Duration.ofMinutes(1), false);
                nodes.put(
                        task.id(),
                        new Node.Task(
                                task.id(),
                                task.scope(),
                                task.handler(),
                                task.input(),
                                retry,
                                task.timeout(),
                                !task.rerender(),
                                dice.percent(30) ? Optional.empty() : task.compensation(),
                                task.applies(),
                                task.routing(),
                                task.mayEnd(),
                                task.origin()));
            }
        }

        private Node node(NodeId id) {
            return Objects.requireNonNull(nodes.get(id), "an edge is between nodes");
        }

        private boolean isInside(Edge edge) {
            return node(edge.from()).scope().equals(node(edge.to()).scope());
        }

        /** Of a settling scope in a flow scope. */
        private boolean isWayOut(Edge edge) {
            return before.scopes().stream()
                    .anyMatch(scope -> scope.continuation().equals(Optional.of(edge.id())));
        }

        private boolean isSettling(ScopeId scope) {
            return before.scope(scope).kind() == Scope.Kind.SETTLING;
        }

        private static Edge to(Edge edge, NodeId to) {
            return new Edge(
                    edge.id(),
                    edge.from(),
                    to,
                    edge.on(),
                    edge.when(),
                    edge.otherwise(),
                    edge.priority(),
                    edge.as(),
                    edge.policy(),
                    edge.origin());
        }

        Program program() {
            Renaming renaming = new Renaming(names);
            return new Program(
                    before.dialect(),
                    before.compiler(),
                    before.workflow(),
                    before.scopes().stream().map(renaming::scope).toList(),
                    nodes.values().stream().map(renaming::node).toList(),
                    edges.values().stream().map(renaming::edge).toList(),
                    before.output(),
                    before.deadline(),
                    before.metadata(),
                    before.context());
        }
    }
}
