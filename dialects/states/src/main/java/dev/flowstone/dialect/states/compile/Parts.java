package dev.flowstone.dialect.states.compile;

import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The nodes, edges and scopes of a program that is being made. */
final class Parts {
    /** Always taken. */
    static final Terms PLAIN = new Terms(Optional.empty(), false, 0, Optional.empty());

    private static final int LONGEST = 180;

    final List<Node> nodes = new ArrayList<>();
    final List<Edge> edges = new ArrayList<>();
    final List<Scope> scopes = new ArrayList<>();
    private final Map<String, Integer> names = new HashMap<>();

    void scope(
            ScopeId id, Optional<ScopeId> parent, Scope.FailurePolicy onFailure, NodeId entry, Optional<NodeId> fork) {
        scopes.add(new Scope(id, parent, Scope.Kind.FLOW, onFailure, entry, Optional.empty(), Optional.empty(), fork));
    }

    /** An edge without a condition. */
    void edge(NodeId from, String on, NodeId to, Origin origin) {
        edge(from, on, to, PLAIN, origin);
    }

    /** An edge on success that a published policy must allow. */
    void asking(NodeId from, NodeId to, PolicyName policy, Origin origin) {
        edge(from, StateDef.SUCCESS, to, PLAIN, Optional.of(policy), origin);
    }

    void edge(NodeId from, String on, NodeId to, Terms terms, Origin origin) {
        edge(from, on, to, terms, Optional.empty(), origin);
    }

    private void edge(NodeId from, String on, NodeId to, Terms terms, Optional<PolicyName> policy, Origin origin) {
        String base = from + "-" + on + "->" + to;
        if (base.length() > LONGEST) {
            base = "edge at " + origin.pointer() + " on " + on;
            base = base.length() > LONGEST ? "edge" : base;
        }
        int count = names.merge(base, 1, Integer::sum);
        edges.add(new Edge(
                new EdgeId(count == 1 ? base : base + "~" + count),
                from,
                to,
                new Outcome(on),
                terms.when(),
                terms.otherwise(),
                terms.priority(),
                terms.as().map(Outcome::new),
                policy,
                origin));
    }

    /** When an edge is taken, and what it means to a join. */
    record Terms(Optional<String> when, boolean otherwise, int priority, Optional<String> as) {
        Terms as(String outcome) {
            return new Terms(when, otherwise, priority, Optional.of(outcome));
        }
    }
}
