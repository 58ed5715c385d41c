package dev.flowstone.dialect.soundness;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.program.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a walk asks of a program again and again. */
final class Ground {
    final Program program;
    private final Map<ScopeId, Scope> bases = new HashMap<>();
    private final Map<String, Boolean> independent = new HashMap<>();
    private final boolean permits;

    Ground(Program program) {
        this.program = program;
        this.permits = program.nodes().stream().anyMatch(node -> semaphore(node).isPresent());
    }

    Node node(String id) {
        return program.node(new NodeId(id));
    }

    Scope scope(Node node) {
        return program.scope(node.scope());
    }

    /** The branch, or the root, whose token a node's is. */
    Scope base(Node node) {
        Scope known = bases.get(node.scope());
        if (known != null) {
            return known;
        }
        Scope at = scope(node);
        while (at.fork().isEmpty() && at.parent().isPresent()) {
            at = program.scope(at.parent().get());
        }
        bases.put(node.scope(), at);
        return at;
    }

    /** The join that a branch arrives at; empty for the root. */
    Optional<NodeId> join(Scope base) {
        return base.fork().map(fork -> ((Node.Fork) program.node(fork)).join());
    }

    boolean hasPermits() {
        return permits;
    }

    /** A semaphore whose name is known beforehand. */
    static Optional<Source.Permit> semaphore(Node node) {
        return node instanceof Node.Await await
                        && await.source() instanceof Source.Permit permit
                        && permit.semaphore() instanceof JsonString name
                        && !name.value().contains("{{")
                ? Optional.of(permit)
                : Optional.empty();
    }

    /** The edges that may be taken on an outcome, whatever their conditions say. */
    List<Edge> candidates(Node node, String outcome) {
        List<Edge> plain = new ArrayList<>();
        List<Edge> otherwise = new ArrayList<>();
        boolean sure = false;
        for (Edge edge : program.outgoing(node.id())) {
            boolean fits = edge.on().name().equals(outcome) || edge.on().equals(Outcome.ALWAYS);
            if (!fits) {
                continue;
            }
            if (edge.otherwise()) {
                otherwise.add(edge);
            } else if (!sure || node.routing() == Routing.ALL) {
                plain.add(edge);
                sure |= !edge.isConditional();
            }
        }
        if (!sure) {
            plain.addAll(otherwise);
        }
        boolean failure = outcome.equals(Outcome.TIMEOUT.name()) || outcome.equals(Outcome.DENIED.name());
        return plain.isEmpty() && failure ? candidates(node, Outcome.FAILURE.name()) : plain;
    }

    /** As what a node may complete. */
    List<String> outcomes(Node node) {
        List<String> outcomes = new ArrayList<>();
        switch (node) {
            case Node.HumanTask task -> task.outcomes().forEach(it -> outcomes.add(it.name()));
            case Node.Start _,
                    Node.End _,
                    Node.Task _,
                    Node.Timer _,
                    Node.Choice _,
                    Node.Assign _,
                    Node.Fork _,
                    Node.Join _,
                    Node.Emit _ -> outcomes.add(Outcome.SUCCESS.name());
            case Node.Await await -> {
                outcomes.add(Outcome.SUCCESS.name());
                await.timeout().ifPresent(it -> outcomes.add(Outcome.TIMEOUT.name()));
            }
            case Node.Call call -> {
                outcomes.add(Outcome.SUCCESS.name());
                call.timeout().ifPresent(it -> outcomes.add(Outcome.TIMEOUT.name()));
                if (!candidates(node, Outcome.CANCELED.name()).isEmpty()) {
                    outcomes.add(Outcome.CANCELED.name());
                }
            }
        }
        boolean arrives = scope(node).onFailure() == Scope.FailurePolicy.ARRIVE && node instanceof Node.Task;
        if (arrives || !candidates(node, Outcome.FAILURE.name()).isEmpty()) {
            outcomes.add(Outcome.FAILURE.name());
        }
        return outcomes;
    }

    /** Whether a join of this branch asks for outcomes. */
    boolean asksForOutcomes(Scope base) {
        return join(base).map(program::node).orElse(null) instanceof Node.Join join
                && (join.policy() instanceof JoinPolicy.Count || join.policy() instanceof JoinPolicy.Majority);
    }

    /**
     * Whether a fork's branches can't influence each other, so that looking at one order of their steps is enough: the join
     * waits for all, no branch leaves, ends the run, or waits for a permit.
     */
    boolean isIndependent(Node.Fork fork) {
        return independent.computeIfAbsent(fork.id().value(), id -> {
            boolean all =
                    program.node(fork.join()) instanceof Node.Join join && join.policy() instanceof JoinPolicy.All;
            return all && !permits && staysInside(fork);
        });
    }

    private boolean staysInside(Node.Fork fork) {
        Set<ScopeId> inside = new HashSet<>();
        for (Scope scope : program.scopes()) {
            Scope at = scope;
            while (!at.fork().equals(Optional.of(fork.id())) && at.parent().isPresent()) {
                at = program.scope(at.parent().get());
            }
            if (at.fork().equals(Optional.of(fork.id()))) {
                inside.add(scope.id());
            }
        }
        for (Node node : program.nodes()) {
            if (!inside.contains(node.scope())) {
                continue;
            }
            boolean ends = node instanceof Node.End end && end.terminate();
            boolean leaves = program.outgoing(node.id()).stream()
                    .anyMatch(edge -> !edge.to().equals(fork.join())
                            && !inside.contains(program.node(edge.to()).scope()));
            if (ends || leaves) {
                return false;
            }
        }
        return true;
    }
}
