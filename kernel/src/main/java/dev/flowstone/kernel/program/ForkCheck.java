package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.ProgramFault.Code;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The rules of forks, their branches and their joins (R6, R10). Nothing is inferred: what doesn't fit is refused. */
final class ForkCheck {
    private final Program program;
    private final List<ProgramFault> faults;
    private final Map<NodeId, Integer> named = new HashMap<>();
    private final Map<ScopeId, NodeId> opened = new HashMap<>();

    ForkCheck(Program program, List<ProgramFault> faults) {
        this.program = program;
        this.faults = faults;
    }

    void run() {
        for (Node node : program.nodes()) {
            if (node instanceof Node.Fork fork) {
                join(fork);
                branches(fork);
            }
        }
        for (Node node : program.nodes()) {
            if (node instanceof Node.Join) {
                forks(node);
            }
        }
        for (Scope scope : program.scopes()) {
            scope(scope);
        }
        for (Edge edge : program.edges()) {
            arrival(edge);
        }
    }

    private void join(Node.Fork fork) {
        Node join = program.node(fork.join());
        named.merge(join.id(), 1, Integer::sum);
        if (!(join instanceof Node.Join) || !join.scope().equals(fork.scope())) {
            faults.add(ProgramFault.of(
                    Code.FORK_WITHOUT_JOIN,
                    fork,
                    "fork " + fork.id() + " names " + join.id() + ", which is no join of scope " + fork.scope()));
        }
    }

    private void branches(Node.Fork fork) {
        for (ScopeId id : fork.branches().scopes()) {
            Scope scope = program.scope(id);
            boolean first = opened.put(id, fork.id()) == null;
            if (!first
                    || !scope.fork().equals(Optional.of(fork.id()))
                    || !scope.parent().equals(Optional.of(fork.scope()))) {
                faults.add(ProgramFault.of(
                        Code.INVALID_BRANCH,
                        fork,
                        "scope " + id + " is no branch of its own right inside the scope of fork " + fork.id()));
            }
        }
        if (fork.branches() instanceof Branches.Each each && each.window() > Branches.Each.WIDEST) {
            faults.add(ProgramFault.of(
                    Code.INVALID_WINDOW,
                    fork,
                    "at most " + Branches.Each.WIDEST + " branches of fork " + fork.id() + " live at once, not "
                            + each.window()));
        }
        if (fork.branches() instanceof Branches.Static named) {
            Set<String> names = new HashSet<>();
            for (Branches.Branch branch : named.branches()) {
                if (!names.add(branch.name())) {
                    faults.add(ProgramFault.of(
                            Code.INVALID_BRANCH, fork, "fork " + fork.id() + " has two branches " + branch.name()));
                }
            }
        }
    }

    private void forks(Node join) {
        int forks = named.getOrDefault(join.id(), 0);
        if (forks != 1) {
            faults.add(ProgramFault.of(
                    Code.JOIN_WITHOUT_FORK,
                    join,
                    forks == 0
                            ? "no fork names join " + join.id() + ": it has no branches to wait for"
                            : forks + " forks name join " + join.id() + "; each needs one of its own"));
        }
        if (program.scope(join.scope()).entry().equals(join.id())) {
            faults.add(ProgramFault.of(
                    Code.JOIN_WITHOUT_FORK, join, "scope " + join.scope() + " begins at join " + join.id()));
        }
    }

    private void scope(Scope scope) {
        Node entry = program.node(scope.entry());
        if (scope.fork().isPresent() && !scope.fork().equals(Optional.ofNullable(opened.get(scope.id())))) {
            faults.add(ProgramFault.of(
                    Code.INVALID_BRANCH,
                    entry,
                    "scope " + scope.id() + " names fork " + scope.fork().get() + ", which doesn't open it"));
        }
        if (scope.onFailure() == Scope.FailurePolicy.ARRIVE && scope.fork().isEmpty()) {
            faults.add(ProgramFault.of(
                    Code.INVALID_FAILURE_POLICY,
                    entry,
                    "failures in scope " + scope.id() + " can't arrive at a join: it is no fork's branch"));
        }
    }

    private void arrival(Edge edge) {
        Node from = program.node(edge.from());
        if (program.node(edge.to()) instanceof Node.Join join && !isInside(program.scope(from.scope()), join)) {
            faults.add(ProgramFault.of(
                    Code.FOREIGN_ARRIVAL,
                    edge,
                    "the edge from " + from.id() + " to " + join.id() + " begins outside the branches that " + join.id()
                            + " joins"));
        }
    }

    private boolean isInside(Scope from, Node.Join join) {
        Scope at = from;
        while (!Topology.arrives(program, at, join.id())) {
            if (at.parent().isEmpty()) {
                return false;
            }
            at = program.scope(at.parent().get());
        }
        return true;
    }
}
