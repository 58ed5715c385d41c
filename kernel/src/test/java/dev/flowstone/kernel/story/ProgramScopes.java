package dev.flowstone.kernel.story;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The scopes of a program that is being built, root first, and the one at hand, in which the next node will lie. */
final class ProgramScopes {
    private final List<Scope> scopes = new ArrayList<>();
    private ScopeId current = new ScopeId("root");

    ProgramScopes(Scope.Kind root, NodeId entry) {
        begin(new Scope(
                current, Optional.empty(), root, Scope.FailurePolicy.FAIL, entry, Optional.empty(), Optional.empty()));
    }

    List<Scope> all() {
        return List.copyOf(scopes);
    }

    ScopeId current() {
        return current;
    }

    boolean settling() {
        return scope(current).kind() == Scope.Kind.SETTLING;
    }

    /** Adds it and makes it the one at hand. */
    void begin(Scope scope) {
        scopes.add(scope);
        current = scope.id();
    }

    /** One that was begun already is at hand again. */
    void goOnIn(ScopeId id) {
        current = scope(id).id();
    }

    void wayOut(ScopeId id, NodeId out, EdgeId continuation) {
        Scope was = scope(id);
        replace(was, was.onFailure(), was.entry(), Optional.of(out), Optional.of(continuation));
    }

    void entry(ScopeId id, NodeId entry) {
        Scope was = scope(id);
        replace(was, was.onFailure(), entry, was.out(), was.continuation());
    }

    /** The policy of the scope at hand. */
    void onFailure(Scope.FailurePolicy policy) {
        Scope was = scope(current);
        replace(was, policy, was.entry(), was.out(), was.continuation());
    }

    private void replace(
            Scope was,
            Scope.FailurePolicy onFailure,
            NodeId entry,
            Optional<NodeId> out,
            Optional<EdgeId> continuation) {
        scopes.set(
                scopes.indexOf(was),
                new Scope(was.id(), was.parent(), was.kind(), onFailure, entry, out, continuation, was.fork()));
    }

    private Scope scope(ScopeId id) {
        return scopes.stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scope " + id));
    }
}
