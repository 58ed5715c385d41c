package dev.flowstone.kernel.read;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.Draft;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The nodes that a run may still come to. */
final class Reachable {
    private final Program program;
    private final Draft draft;

    /** Of each scope inside a branch that a collection opens: the entry of that branch. */
    private final Map<ScopeId, NodeId> branches = new HashMap<>();

    Reachable(Program program, Draft draft) {
        this.program = program;
        this.draft = draft;
        for (Node node : program.nodes()) {
            if (node instanceof Node.Fork fork && fork.branches() instanceof Branches.Each each) {
                NodeId entry = program.scope(each.scope()).entry();
                for (Scope scope : program.scopes()) {
                    if (isInside(scope, each.scope())) {
                        branches.put(scope.id(), entry);
                    }
                }
            }
        }
    }

    /** Where the run is alive, and whatever paths lead to from there. */
    Set<NodeId> nodes() {
        Set<NodeId> reached = new HashSet<>();
        Deque<NodeId> open = new ArrayDeque<>();
        for (NodeId alive : draft.aliveAt()) {
            if (reached.add(alive)) {
                open.add(alive);
            }
        }
        while (!open.isEmpty()) {
            for (NodeId next : next(program.node(open.remove()))) {
                if (!isBehind(next) && reached.add(next)) {
                    open.add(next);
                }
            }
        }
        return reached;
    }

    /** How many branches a node lives in: 1 if no collection opens them. */
    long branchesOpened(NodeId node) {
        NodeId entry = branches.get(program.node(node).scope());
        return entry == null
                ? 1
                : Math.max(1, draft.node(draft.topology().place(entry)).visits());
    }

    private List<NodeId> next(Node node) {
        List<NodeId> targets = new ArrayList<>();
        for (Edge edge : program.outgoing(node.id())) {
            targets.add(edge.to());
        }
        if (node instanceof Node.Fork fork) {
            targets.add(fork.join());
            switch (fork.branches()) {
                case Branches.Each each ->
                    targets.add(program.scope(each.scope()).entry());
                case Branches.Static named ->
                    named.branches()
                            .forEach(branch ->
                                    targets.add(program.scope(branch.scope()).entry()));
            }
        }
        return targets;
    }

    /** A settling root enters a node once. */
    private boolean isBehind(NodeId node) {
        Place place = draft.topology().place(node);
        return place.settling()
                && place.scope().parent().isEmpty()
                && draft.node(place).visits() > 0;
    }

    private boolean isInside(Scope scope, ScopeId around) {
        Set<ScopeId> seen = new HashSet<>();
        Optional<ScopeId> at = Optional.of(scope.id());
        while (at.isPresent() && seen.add(at.get())) {
            if (at.get().equals(around)) {
                return true;
            }
            at = program.scope(at.get()).parent();
        }
        return false;
    }
}
