package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.EventBody.ActivationCanceled;
import dev.flowstone.kernel.event.EventBody.ActivationOpened;
import dev.flowstone.kernel.event.EventBody.ActivationSkipped;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import java.util.List;

/** How visits begin and are cut short (R5, R7). */
final class ActivationApplier {
    /** More than one, so that a crowd of old visits thins out as new ones come. */
    private static final int FORGOTTEN_AT_ONCE = 2;

    private ActivationApplier() {}

    /** The head of the work list names the scope instance. What waits for nobody has its result at once. */
    static void opened(Draft draft, ActivationOpened body) {
        WorkItem head = draft.head();
        int number = leaveQueue(draft, body.activation(), 1);
        Place place = draft.topology.find(body.activation().node().value());
        ScopeInstance scope = draft.tree.scopes.get(number);
        if (place == null || scope == null) {
            return;
        }
        Activation activation = Activation.opened(body.activation(), number, body.key(), body.via());
        visit(draft, place, activation);
        draft.tree.live++;
        Scopes.put(draft, scope.entered(body.activation(), place.out()));
        switch (place.node()) {
            case Node.Start _, Node.Choice _ -> Activations.result(draft, activation, Outcome.SUCCESS, null, null);
            case Node.End end -> Activations.result(draft, activation, end.outcome(), null, null);
            case Node.Join _ -> {
                if (head instanceof WorkItem.Fire fire) {
                    ForkApplier.joined(draft, activation, fire.fork());
                }
            }
            case Node.Task _,
                    Node.Timer _,
                    Node.HumanTask _,
                    Node.Assign _,
                    Node.Fork _,
                    Node.Await _,
                    Node.Emit _,
                    Node.Call _ -> {}
        }
    }

    static void skipped(Draft draft, ActivationSkipped body) {
        Place place = draft.topology.find(body.activation().node().value());
        WorkItem head = draft.head();
        int number = head == null ? ScopeInstance.ROOT : head.scope();
        if (place == null) {
            return;
        }
        visit(
                draft,
                place,
                Activation.opened(body.activation(), number, Sha256.ZERO, List.of())
                        .ended(ActivationStatus.SKIPPED));
        if (place.settling()) {
            dead(draft, number, place);
        }
        leaveQueue(draft, body.activation(), 0);
    }

    /** A canceled activation's edges are dead, unless its scope is being closed: then nobody asks for them any more. */
    static void canceled(Draft draft, ActivationCanceled body) {
        Activation activation = draft.activation(body.activation());
        Place place = draft.topology.find(body.activation().node().value());
        if (activation == null || place == null || activation.status().isFinal()) {
            return;
        }
        Activations.put(draft, place, activation.ended(ActivationStatus.CANCELED));
        draft.weight -= Weight.of(activation.input());
        Activations.noLongerLive(draft, activation);
        if (draft.control.parked().get(body.activation()) != null) {
            HoldApplier.unparked(draft, body.activation());
            HoldApplier.withoutRelease(draft);
        }
        Attempt attempt = draft.attempts.get(body.activation());
        if (attempt != null && attempt.returned()) {
            draft.attempts = draft.attempts.without(body.activation());
        }
        boolean left =
                draft.head() instanceof WorkItem.Exit exit && activation.id().equals(exit.fork());
        if (place.node() instanceof Node.Fork) {
            ForkApplier.canceled(draft, activation.id());
        }
        if (place.settling() && !left && !Scopes.closing(draft, activation.scope())) {
            dead(draft, activation.scope(), place);
        }
        Scopes.alive(draft, activation.scope(), -1);
    }

    private static void dead(Draft draft, int scope, Place place) {
        Edges.allDead(draft, scope, place);
        if (place.node() instanceof Node.Fork) {
            Composites.dead(draft, scope, place);
        }
    }

    private static void visit(Draft draft, Place place, Activation activation) {
        NodeState before = draft.node(place);
        NodeState after = before.visited(activation, draft.waits);
        for (int i = 0; i < FORGOTTEN_AT_ONCE && isForgettable(draft, after); i++) {
            after = after.withoutOldest();
        }
        draft.nodes = draft.nodes.with(place.number(), after);
        draft.weight += Weight.ACTIVATION
                * (after.activations().size() - before.activations().size());
    }

    /** Visits that had to be remembered when many branches were open, and need not be any more. */
    private static boolean isForgettable(Draft draft, NodeState node) {
        Activation oldest = node.activations().get(node.activations().firstKey());
        return oldest != null
                && oldest.id().visit() <= node.visits() - NodeState.REMEMBERED
                && oldest.status().isFinal()
                && draft.attempts.get(oldest.id()) == null;
    }

    /** Takes the item of this node off the work list, after whatever takes its place counts as alive. */
    private static int leaveQueue(Draft draft, ActivationId activation, int alive) {
        WorkItem head = draft.head();
        Place place = draft.topology.find(activation.node().value());
        if (head == null || place == null || !isFor(draft, head, place)) {
            return ScopeInstance.ROOT;
        }
        if (alive != 0) {
            Scopes.alive(draft, head.scope(), alive);
        }
        Queue.pop(draft);
        return head.scope();
    }

    private static boolean isFor(Draft draft, WorkItem item, Place place) {
        return switch (item) {
            case WorkItem.Enter enter -> enter.node() == place.number();
            case WorkItem.Skip skip -> skip.node() == place.number();
            case WorkItem.Fire fire ->
                draft.topology
                                .composite(draft.topology.place(fire.fork().node()))
                                .join()
                        == place.number();
            case WorkItem.Route _, WorkItem.Exit _, WorkItem.Settle _, WorkItem.Fan _ -> false;
            case WorkItem.Undo _, WorkItem.Release _ -> false;
        };
    }
}
