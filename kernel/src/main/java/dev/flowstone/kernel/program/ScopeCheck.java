package dev.flowstone.kernel.program;

import dev.flowstone.kernel.program.ProgramFault.Code;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rules of the tree of scopes (R6). */
final class ScopeCheck {
    private final Program program;
    private final List<ProgramFault> faults;

    ScopeCheck(Program program, List<ProgramFault> faults) {
        this.program = program;
        this.faults = faults;
    }

    void run() {
        for (Scope scope : program.scopes()) {
            Node entry = program.node(scope.entry());
            if (!reachesRoot(scope)) {
                faults.add(ProgramFault.of(
                        Code.SCOPE_CIRCLE, entry, "the scopes around " + scope.id() + " lead in a circle"));
            }
            if (!entry.scope().equals(scope.id())) {
                faults.add(ProgramFault.of(
                        Code.ENTRY_OUTSIDE_SCOPE,
                        entry,
                        "scope " + scope.id() + " is entered at " + entry.id() + ", which lies in " + entry.scope()));
            }
            boolean inSettling = scope.parent()
                    .map(parent -> program.scope(parent).kind() == Scope.Kind.SETTLING)
                    .orElse(false);
            if (inSettling && scope.fork().isEmpty()) {
                faults.add(ProgramFault.of(
                        Code.SCOPE_IN_SETTLING_SCOPE,
                        entry,
                        "scope " + scope.id() + " lies in a settling scope; only a fork opens one there"));
            }
            continuation(scope, entry);
        }
        starts();
    }

    private boolean reachesRoot(Scope scope) {
        Set<Scope> seen = new HashSet<>();
        Scope at = scope;
        while (at.parent().isPresent()) {
            if (!seen.add(at)) {
                return false;
            }
            at = program.scope(at.parent().get());
        }
        return true;
    }

    private void starts() {
        for (Node node : program.nodes()) {
            boolean isEntry = node.id().equals(program.root().entry());
            if (isEntry && !(node instanceof Node.Start)) {
                faults.add(ProgramFault.of(
                        Code.MISPLACED_START, node, "the program is entered at " + node.id() + ", which is no Start"));
            } else if (!isEntry && node instanceof Node.Start) {
                faults.add(ProgramFault.of(
                        Code.MISPLACED_START, node, node.id() + " is a Start, but the program is entered elsewhere"));
            }
        }
    }

    private void continuation(Scope scope, Node entry) {
        boolean wanted = scope.kind() == Scope.Kind.SETTLING
                && scope.parent().isPresent()
                && scope.fork().isEmpty();
        if (!wanted) {
            if (scope.out().isPresent() || scope.continuation().isPresent()) {
                invalid(entry, scope, "only a settling scope inside a flow scope goes on by a continuation");
            }
            return;
        }
        if (scope.out().isEmpty() || scope.continuation().isEmpty()) {
            faults.add(ProgramFault.of(
                    Code.MISSING_CONTINUATION,
                    entry,
                    "scope " + scope.id() + " settles in a flow scope and needs an out node and a continuation"));
            return;
        }
        Edge edge = program.edge(scope.continuation().get());
        Node out = program.node(scope.out().get());
        if (!out.scope().equals(scope.id())) {
            invalid(out, scope, out.id() + " lies outside");
        } else if (!edge.from().equals(out.id())) {
            invalid(out, scope, "edge " + edge.id() + " doesn't begin at " + out.id());
        } else if (program.node(edge.to()).scope().equals(scope.id())) {
            invalid(out, scope, "edge " + edge.id() + " doesn't leave it");
        } else if (edge.isConditional() || edge.otherwise() || !unconditional(edge.on())) {
            invalid(out, scope, "edge " + edge.id() + " is followed whenever the scope has settled, unconditionally");
        }
    }

    private static boolean unconditional(Outcome on) {
        return on.equals(Outcome.SUCCESS) || on.equals(Outcome.ALWAYS);
    }

    private void invalid(Node at, Scope scope, String why) {
        faults.add(new ProgramFault(
                Code.INVALID_CONTINUATION,
                Optional.of(at.id()),
                scope.continuation(),
                at.origin(),
                "the continuation of scope " + scope.id() + ": " + why));
    }
}
