package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Forks, their branches, their joins (R4, R6, R7, R10). */
final class ForkApplier {
    private ForkApplier() {}

    static void apply(Draft draft, ForkEvent event) {
        switch (event) {
            case ForkEvent.ForkOpened body -> opened(draft, body);
            case ForkEvent.BranchOpened body -> branchOpened(draft, body);
            case ForkEvent.BranchEnded body -> branchEnded(draft, body);
            case ForkEvent.BranchesDiscarded body -> discarded(draft, body);
            case ForkEvent.JoinFired body -> fired(draft, body);
            case ForkEvent.BranchCanceled body -> branchCanceled(draft, body);
            case ForkEvent.BranchKept body -> branchKept(draft, body);
            case ForkEvent.ExitFollowed body -> exitFollowed(draft, body);
            case ForkEvent.IncidentDiscarded body -> IncidentApplier.discarded(draft, body);
        }
    }

    private static void opened(Draft draft, ForkEvent.ForkOpened body) {
        Activation activation = draft.activation(body.fork());
        if (activation == null) {
            return;
        }
        Place place = draft.topology.place(body.fork().node());
        Activations.put(draft, place, activation.active());
        UndoingApplier.forked(draft, activation, place);
        JsonArray items =
                body.items().orElse(null) instanceof Payload.Inline inline && inline.value() instanceof JsonArray array
                        ? array
                        : null;
        ForkState fork = ForkState.opened(body.fork(), activation.scope(), body.branches(), items);
        draft.tree.forks = draft.tree.forks.with(body.fork(), fork);
        draft.weight += Weight.of(fork);
        if (body.branches() > 0) {
            Queue.pushFirst(draft, new WorkItem.Fan(fork.scope(), fork.fork()));
        }
    }

    private static void branchOpened(Draft draft, ForkEvent.BranchOpened body) {
        ForkState fork = draft.tree.forks.get(body.fork());
        if (fork == null) {
            return;
        }
        JsonValue item = fork.items() == null ? null : fork.items().items().get(body.branch());
        BranchState branch = BranchState.opened(fork.fork(), body.branch(), item);
        ScopeInstance scope = ScopeInstance.open(body.number(), draft.program.scope(body.scope()), fork.scope())
                .with(branch);
        Scopes.open(draft, scope);
        draft.weight += Weight.of(branch);
        Scopes.alive(draft, fork.scope(), 1);
        int entry = draft.topology.place(scope.scope().entry()).number();
        Queue.push(draft, new WorkItem.Enter(scope.number(), entry, List.of()));
        ForkState now = fork.next(body.branch() + 1, fork.open().with(body.branch(), body.number()));
        put(draft, now);
        if (now.next() >= now.branches() || now.open().size() >= window(draft, now)) {
            popFan(draft, body.fork());
        }
    }

    private static int window(Draft draft, ForkState fork) {
        return switch (node(draft, fork.fork()).branches()) {
            case Branches.Static _ -> Integer.MAX_VALUE;
            case Branches.Each each -> each.window();
        };
    }

    private static Node.Fork node(Draft draft, ActivationId fork) {
        return (Node.Fork) draft.program.node(fork.node());
    }

    /** What the branch leaves behind is its result; there is room for another one. */
    private static void branchEnded(Draft draft, ForkEvent.BranchEnded body) {
        ForkState fork = draft.tree.forks.get(body.fork());
        ScopeInstance scope = draft.tree.scopes.get(body.number());
        BranchState branch = scope == null ? null : scope.branch();
        if (fork == null || scope == null || branch == null) {
            return;
        }
        if (draft.head() instanceof WorkItem.Settle settle && settle.scope() == body.number()) {
            Queue.pop(draft);
        }
        JsonValue output = output(branch.output(), body.omitted());
        JsonObject result = JsonObject.builder()
                .put("branch", name(draft, fork, body.branch()))
                .put("outcome", body.outcome().name())
                .put("output", output)
                .build();
        ForkState now = fork.ended(body.branch(), result, Weight.of(Payload.of(output)));
        if (body.arrived()) {
            SortedTree<EdgeId, EdgeId> via =
                    branch.arrived() == null ? now.via() : now.via().with(branch.arrived(), branch.arrived());
            boolean accepted = accepted(draft, fork, body.outcome());
            now = now.arrivals(now.arrived() + 1, now.accepted() + (accepted ? 1 : 0), via);
        }
        put(draft, now);
        draft.weight += Weight.of(Payload.of(result));
        Scopes.remove(draft, scope);
        if (now.next() < now.branches()) {
            Queue.pushFirst(draft, new WorkItem.Fan(now.scope(), now.fork()));
        }
        Scopes.alive(draft, fork.scope(), -1);
    }

    private static JsonValue name(Draft draft, ForkState fork, int branch) {
        return switch (node(draft, fork.fork()).branches()) {
            case Branches.Static named ->
                new JsonString(named.branches().get(branch).name());
            case Branches.Each _ -> JsonNumber.of((long) branch);
        };
    }

    /** A value that stands elsewhere, or that there is no room for, shows as a note. */
    private static JsonValue output(@Nullable Payload output, int omitted) {
        if (output instanceof Payload.Stored(var hash, long bytes)) {
            return note(JsonObject.builder()
                    .put("code", "STORED")
                    .put("bytes", bytes)
                    .put("hash", hash.toString())
                    .build());
        }
        if (omitted > 0) {
            return note(JsonObject.builder()
                    .put("code", "LIMIT_EXCEEDED")
                    .put("bytes", omitted)
                    .build());
        }
        return output instanceof Payload.Inline inline ? inline.value() : JsonNull.NULL;
    }

    private static JsonObject note(JsonObject why) {
        return JsonObject.builder().put("omitted", why).build();
    }

    private static boolean accepted(Draft draft, ForkState fork, Outcome outcome) {
        Node.Join join = (Node.Join) draft.program.node(node(draft, fork.fork()).join());
        Set<Outcome> accept = switch (join.policy()) {
            case JoinPolicy.Count count -> count.accept();
            case JoinPolicy.Majority majority -> majority.accept();
            case JoinPolicy.All _, JoinPolicy.Ended _ -> Set.of();
        };
        return accept.isEmpty() ? outcome.equals(Outcome.SUCCESS) : accept.contains(outcome);
    }

    private static void discarded(Draft draft, ForkEvent.BranchesDiscarded body) {
        ForkState fork = draft.tree.forks.get(body.fork());
        if (fork != null) {
            put(draft, fork.next(fork.branches(), fork.open()));
            popFan(draft, body.fork());
        }
    }

    private static void fired(Draft draft, ForkEvent.JoinFired body) {
        ForkState fork = draft.tree.forks.get(body.fork());
        if (fork == null) {
            return;
        }
        put(draft, fork.fired(body.outcome()));
        popFan(draft, body.fork());
        Queue.pushFirst(draft, new WorkItem.Fire(fork.scope(), fork.fork()));
    }

    private static void popFan(Draft draft, ActivationId fork) {
        if (draft.head() instanceof WorkItem.Fan fan && fan.fork().equals(fork)) {
            Queue.pop(draft);
        }
    }

    private static void branchCanceled(Draft draft, ForkEvent.BranchCanceled body) {
        ScopeInstance scope = draft.tree.scopes.get(body.number());
        if (scope != null) {
            forget(draft, scope);
            Scopes.remove(draft, scope);
            Scopes.alive(draft, scope.parent(), -1);
        }
    }

    private static void branchKept(Draft draft, ForkEvent.BranchKept body) {
        ScopeInstance scope = draft.tree.scopes.get(body.number());
        if (scope != null && scope.branch() != null) {
            forget(draft, scope);
            Branching.keep(draft, scope, scope.branch());
        }
    }

    /** Its fork doesn't count this branch among the open ones any more. */
    static void forget(Draft draft, ScopeInstance scope) {
        BranchState branch = scope.branch();
        ForkState fork = branch == null || branch.kept() ? null : draft.tree.forks.get(branch.fork());
        if (branch != null && fork != null) {
            put(draft, fork.next(fork.next(), fork.open().without(branch.index())));
        }
    }

    /** The join's activation has opened: its result is what the branches left behind, in branch order. */
    static void joined(Draft draft, Activation join, ActivationId id) {
        ForkState fork = draft.tree.forks.get(id);
        if (fork == null) {
            return;
        }
        remove(draft, fork);
        Payload results = Payload.of(new JsonArray(List.copyOf(fork.results().values())));
        Activations.result(draft, join, fork.fired() == null ? Outcome.SUCCESS : fork.fired(), null, results);
    }

    /** The fork's activation was canceled; all that is left of its branches is closed by whoever did that. */
    static void canceled(Draft draft, ActivationId id) {
        ForkState fork = draft.tree.forks.get(id);
        if (fork != null) {
            remove(draft, fork);
        }
        if (draft.head() instanceof WorkItem.Exit exit && id.equals(exit.fork())) {
            Queue.replaceHead(draft, new WorkItem.Exit(exit.scope(), exit.edge()));
        }
    }

    private static void exitFollowed(Draft draft, ForkEvent.ExitFollowed body) {
        Place fork = draft.topology.place(body.fork().node());
        Place target = draft.topology.place(draft.program.edge(body.edge()).to());
        if (target.node() instanceof Node.Join) {
            Branching.arrived(draft, body.number(), body.edge());
        } else if (!fork.settling()) {
            Queue.push(draft, new WorkItem.Enter(body.number(), target.number(), List.of(body.edge())));
        }
        if (fork.settling()) {
            Composites.left(draft, body.number(), fork, body.edge());
        }
        if (draft.head() instanceof WorkItem.Exit exit && exit.edge().equals(body.edge())) {
            Queue.pop(draft);
        }
    }

    private static void put(Draft draft, ForkState fork) {
        draft.tree.forks = draft.tree.forks.with(fork.fork(), fork);
    }

    private static void remove(Draft draft, ForkState fork) {
        draft.tree.forks = draft.tree.forks.without(fork.fork());
        draft.weight -= Weight.of(fork);
    }
}
