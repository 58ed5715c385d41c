package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.program.Topology;
import dev.flowstone.kernel.program.Way;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.NodeState;
import dev.flowstone.kernel.state.ScopeInstance;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the scopes that are open would find their place in the other program, with what has settled in them. */
final class MovedScopes {
    private final Move move;
    private final Draft state;
    private final Program to;
    private final List<String> obstacles;

    private MovedScopes(Move move, List<String> obstacles) {
        this.move = move;
        this.state = move.state();
        this.to = move.to();
        this.obstacles = obstacles;
    }

    /** Adds a sentence for each that would not. */
    static void check(Move move, List<String> obstacles) {
        new MovedScopes(move, obstacles).look();
    }

    /** Every open scope must be there, in the same place; in a settling one, what has resolved must stay resolved. */
    private void look() {
        for (ScopeInstance open : state.tree().scopes()) {
            Scope before = open.scope();
            Optional<Scope> after = to.scopes().stream()
                    .filter(scope -> scope.id().equals(before.id()))
                    .findFirst();
            if (after.isEmpty()
                    || after.get().kind() != before.kind()
                    || !after.get().parent().equals(before.parent())) {
                obstacles.add("scope " + before.id() + " is open, and the new program has no such scope in its place");
            } else if (before.kind() == Scope.Kind.SETTLING) {
                settling(before);
            }
        }
    }

    /** An edge counts once, when its source settles: none may appear, vanish or turn behind the sources that have. */
    private void settling(Scope scope) {
        Map<NodeId, NodeId> sources = new HashMap<>();
        for (Node node : state.program().nodes()) {
            if (node.scope().equals(scope.id())) {
                sources.put(move.name(node.id()), node.id());
            }
        }
        for (Node node : to.nodes()) {
            NodeId old = sources.get(node.id());
            if (node.scope().equals(scope.id()) && old != null && settled(old)) {
                sameEdges(old, node.id());
            }
        }
        for (Node node : state.program().nodes()) {
            if (node.scope().equals(scope.id())) {
                Place target = move.target(node.id());
                if (target != null) {
                    sameForks(node, target);
                }
                if (settled(node.id())
                        && (target == null || !target.scope().id().equals(scope.id()))) {
                    obstacles.add(node.id() + " has settled, and scope " + scope.id() + " would not have it any more");
                }
            }
        }
    }

    /**
     * Exits out of branches count as a fork's edges, and its join settles with it: once it has settled, each has resolved for the
     * node that it leads to, and there are no others.
     */
    private void sameForks(Node node, Place target) {
        boolean settled = settled(node.id());
        Map<EdgeId, NodeId> before = exits(state.topology(), state.topology().place(node.id()));
        before.replaceAll((edge, to) -> move.name(to));
        Map<EdgeId, NodeId> after = exits(to.topology(), target);
        boolean fork = node instanceof Node.Fork;
        boolean unlike =
                !(target.node() instanceof Node.Fork) || !before.keySet().equals(after.keySet());
        if ((fork && unlike) || (settled && !before.equals(after))) {
            obstacles.add("the exits out of the branches of " + node.id() + " would be others");
        }
        if (settled && !join(node).map(move::name).equals(join(target.node()))) {
            obstacles.add(node.id() + " has settled, and another join would end its branches");
        }
    }

    private static Optional<NodeId> join(Node node) {
        return node instanceof Node.Fork fork ? Optional.of(fork.join()) : Optional.empty();
    }

    private static Map<EdgeId, NodeId> exits(Topology topology, Place fork) {
        Map<EdgeId, NodeId> exits = new HashMap<>();
        if (fork.node() instanceof Node.Fork) {
            for (Way way : topology.composite(fork).exits()) {
                exits.put(way.edge().id(), way.edge().to());
            }
        }
        return exits;
    }

    private boolean settled(NodeId node) {
        NodeState known = state.node(state.topology().place(node));
        Activation last = known.activations().get(known.visits());
        return known.visits() > 0 && (last == null || last.status().isFinal());
    }

    private void sameEdges(NodeId old, NodeId now) {
        Map<String, NodeId> before = new HashMap<>();
        for (Way way : state.topology().place(old).ways()) {
            Edge edge = way.edge();
            before.put(edge.id().value(), move.name(edge.to()));
        }
        Map<String, NodeId> after = new HashMap<>();
        for (Way way : to.topology().place(now).ways()) {
            after.put(way.edge().id().value(), way.edge().to());
        }
        if (!before.equals(after)) {
            obstacles.add(old + " has settled, and its edges would be others");
        }
    }
}
