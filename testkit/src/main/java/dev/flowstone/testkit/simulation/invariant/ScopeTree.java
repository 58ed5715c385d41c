package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which scope instance each activation of a run lives in, told from its log and program alone. Events name instances when
 * they open and close, but not with each activation; where several instances of one scope live at once, an activation
 * belongs to the one that a token for it came to first, for work lists are first-in-first-out. Where incidents may have
 * changed that order, nothing is claimed.
 */
final class ScopeTree {
    private Program program;
    private final Map<Integer, Instance> instances = new HashMap<>();
    private final Map<ScopeId, List<Instance>> live = new HashMap<>();
    private final Map<ActivationId, Instance> homes = new HashMap<>();
    private final ArrayDeque<Instance> entries = new ArrayDeque<>();
    private final List<Token> tokens = new ArrayList<>();
    private @Nullable ActivationId joining;
    private boolean disordered;
    private boolean unsure;

    /** One opening of a scope; the root's has number 0 and no parent. */
    static final class Instance {
        final int number;
        final ScopeId scope;

        @Nullable
        Instance parent;

        boolean open = true;
        private final boolean branch;

        private Instance(int number, ScopeId scope, @Nullable Instance parent, boolean branch) {
            this.number = number;
            this.scope = scope;
            this.parent = parent;
            this.branch = branch;
        }

        /** Whether it is a branch of a fork, or lies in one. */
        boolean isInBranch() {
            return branch || (parent != null && parent.isInBranch());
        }
    }

    private record Token(Instance at, EdgeId edge) {}

    ScopeTree(Program program) {
        this.program = program;
        open(0, program.root().id(), null, false);
    }

    /** The run was moved: open scopes are the same, activations have other names, some edges are gone. */
    void move(Program to, ControlEvent.Migrated moved) {
        program = to;
        Renamed.keys(homes, id -> Renamed.now(moved, id));
        Set<EdgeId> edges = to.edges().stream().map(Edge::id).collect(Collectors.toSet());
        tokens.removeIf(token -> !edges.contains(token.edge));
        joining = joining == null ? null : Renamed.now(moved, joining);
    }

    /** Whether somewhere it could not be told. */
    boolean isUnsure() {
        return unsure;
    }

    Instance root() {
        return instance(0);
    }

    /** Where an activation was opened, or the root if that is closed: whom its effects belong to. */
    Optional<Instance> owner(ActivationId activation) {
        return Optional.ofNullable(homes.get(activation)).map(home -> home.open ? home : root());
    }

    Instance instance(int number) {
        Instance known = instances.get(number);
        if (known == null) {
            throw new IllegalStateException("no scope instance " + number + " was opened");
        }
        return known;
    }

    /** Follows one event; answers with the instance that it closes. */
    Optional<Instance> follow(EventBody event) {
        switch (event) {
            case EventBody.ScopeOpened body -> open(body.number(), body.scope(), around(body.scope()), false);
            case ForkEvent.BranchOpened body -> {
                open(body.number(), body.scope(), homes.get(body.fork()), true);
                entries.add(instance(body.number()));
            }
            case EventBody.ActivationOpened body -> opened(body);
            case EventBody.Transitioned body -> transitioned(body);
            case EventBody.IncidentRaised _ -> disordered = true;
            case EventBody.TokenDiscarded body -> entries.remove(instance(body.number()));
            case ForkEvent.ExitFollowed body -> tokens.add(new Token(instance(body.number()), body.edge()));
            case ForkEvent.BranchKept body -> instance(body.number()).parent = root();
            case EventBody.ScopeClosed body -> {
                Instance closed = close(body.number());
                Instance parent = closed.parent;
                if (parent != null) {
                    body.followed().ifPresent(edge -> tokens.add(new Token(parent, edge)));
                }
                return Optional.of(closed);
            }
            case ForkEvent.BranchEnded body -> {
                return Optional.of(close(body.number()));
            }
            case ForkEvent.BranchCanceled body -> {
                return Optional.of(close(body.number()));
            }
            default -> {}
        }
        return Optional.empty();
    }

    private void open(int number, ScopeId scope, @Nullable Instance parent, boolean branch) {
        Instance instance = new Instance(number, scope, parent, branch);
        instances.put(number, instance);
        live.computeIfAbsent(scope, _ -> new ArrayList<>()).add(instance);
    }

    private Instance close(int number) {
        Instance closed = instance(number);
        closed.open = false;
        living(closed.scope).remove(closed);
        entries.remove(closed);
        tokens.removeIf(token -> token.at == closed);
        return closed;
    }

    private List<Instance> living(ScopeId scope) {
        return live.getOrDefault(scope, List.of());
    }

    /** The instance in which a scope that is no branch was entered: one that a token led from into it. */
    private @Nullable Instance around(ScopeId inner) {
        Scope scope = program.scope(inner);
        List<Instance> all = scope.parent().map(this::living).orElse(List.of());
        if (all.size() == 1) {
            return all.getFirst();
        }
        Instance found = null;
        for (Token token : tokens) {
            boolean leads = program.edge(token.edge).to().equals(scope.entry());
            if (found == null && leads && all.contains(token.at)) {
                found = token.at;
            }
        }
        return sure(found);
    }

    private void opened(EventBody.ActivationOpened body) {
        Node node = program.node(body.activation().node());
        List<Instance> all = living(node.scope());
        Instance home;
        if (all.size() == 1) {
            home = all.getFirst();
        } else if (node instanceof Node.Join && joining != null) {
            home = homes.get(joining);
        } else if (body.via().isEmpty()) {
            home = sure(entries.stream().filter(all::contains).findFirst().orElse(null));
        } else {
            home = sure(tokens.stream()
                    .filter(token -> body.via().contains(token.edge) && isUnder(token.at, all))
                    .map(token -> innermost(token.at, all))
                    .findFirst()
                    .orElse(null));
        }
        if (home == null) {
            unsure = true;
            return;
        }
        Instance found = home;
        homes.put(body.activation(), found);
        entries.remove(found);
        body.via().forEach(edge -> spend(found, edge));
    }

    /** A token lies where it was taken; the scope that it leads into may have been opened since. */
    private static boolean isUnder(Instance at, List<Instance> all) {
        return all.contains(at) || all.stream().anyMatch(one -> one.parent == at);
    }

    private static Instance innermost(Instance at, List<Instance> all) {
        return all.contains(at)
                ? at
                : all.stream().filter(one -> one.parent == at).toList().getLast();
    }

    private void spend(Instance home, EdgeId edge) {
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.edge.equals(edge) && (token.at == home || token.at == home.parent)) {
                tokens.remove(i);
                return;
            }
        }
    }

    private void transitioned(EventBody.Transitioned body) {
        Instance home = homes.get(body.activation());
        if (program.node(body.activation().node()) instanceof Node.Fork) {
            joining = body.activation();
        }
        if (home != null && home.open) {
            body.taken().forEach(edge -> tokens.add(new Token(home, edge)));
        }
    }

    /** One of several was chosen by the order of tokens. */
    private @Nullable Instance sure(@Nullable Instance chosen) {
        if (disordered || chosen == null) {
            unsure = true;
        }
        return chosen;
    }
}
