package dev.flowstone.dialect.soundness;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Scope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What settling scopes can do as a whole. They are acyclic and every edge of them resolves, so they never get stuck by
 * themselves: what can be entered is what edges lead to. Their forks are walked through one by one, as if nothing beside
 * them held permits.
 */
final class Settling {
    private final Ground ground;
    private final Walk walk;
    private final Map<ScopeId, Summary> known = new HashMap<>();

    Settling(Ground ground, Walk walk) {
        this.ground = ground;
        this.walk = walk;
    }

    /** A way out of a scope. */
    record Way(Edge edge, String outcome) {}

    /** All of them, each once. */
    record Summary(List<Way> ways) {
        Summary {
            ways = List.copyOf(ways);
        }
    }

    Summary summary(Scope scope) {
        Summary summary = known.get(scope.id());
        if (summary == null) {
            // Entered before it is worked out only by a way back into itself, which adds nothing.
            known.put(scope.id(), new Summary(List.of()));
            summary = work(scope);
            known.put(scope.id(), summary);
        }
        return summary;
    }

    private Summary work(Scope scope) {
        List<Way> ways = new ArrayList<>();
        Set<NodeId> entered = new HashSet<>();
        Deque<NodeId> open = new ArrayDeque<>();
        open.add(scope.entry());
        while (!open.isEmpty()) {
            NodeId id = open.remove();
            if (!entered.add(id)) {
                continue;
            }
            Node node = ground.program.node(id);
            walk.ran(id.value());
            if (node instanceof Node.Fork fork) {
                Walk.Composite inside = walk.composite(fork);
                inside.exits().forEach(exit -> open.add(new NodeId(exit)));
                Node join = ground.program.node(fork.join());
                if (!inside.joined().isEmpty()) {
                    walk.ran(join.id().value());
                }
                inside.joined().forEach(outcome -> edges(scope, join, outcome, open, ways));
            } else if (!(node instanceof Node.Join)) {
                ground.outcomes(node).forEach(outcome -> edges(scope, node, outcome, open, ways));
            }
        }
        return new Summary(ways);
    }

    private void edges(Scope scope, Node node, String outcome, Deque<NodeId> open, List<Way> ways) {
        for (Edge edge : ground.candidates(node, outcome)) {
            if (ground.program.node(edge.to()).scope().equals(scope.id())) {
                open.add(edge.to());
            } else {
                ways.add(new Way(edge, outcome));
            }
        }
    }
}
