package dev.flowstone.kernel.state;

import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadSize;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import org.jspecify.annotations.Nullable;

/** Changes to activations that several appliers make. */
final class Activations {
    private Activations() {}

    static void put(Draft draft, Place place, Activation activation) {
        draft.nodes = draft.nodes.with(place.number(), draft.node(place).with(activation));
    }

    /** It has its result, which later nodes see; its routing goes on the work list. */
    static void result(
            Draft draft,
            Activation activation,
            Outcome outcome,
            @Nullable RecordedAnswer answer,
            @Nullable Payload result) {
        Place place = draft.topology.place(activation.id().node());
        NodeState node = draft.node(place).with(activation.resulted(outcome, answer));
        if (result != null) {
            draft.weight += Weight.of(result) - Weight.of(node.result());
            draft.contextBytes += PayloadSize.of(result) - node.resultBytes();
            node = node.withResult(result);
        }
        draft.weight -= Weight.of(activation.input());
        draft.nodes = draft.nodes.with(place.number(), node);
        Branching.noted(draft, activation.scope(), place, outcome, result);
        noLongerLive(draft, activation);
        Queue.push(draft, new WorkItem.Route(activation.scope(), activation.id()));
    }

    /** What later nodes see of this one from now on. */
    static void keepResult(Draft draft, Activation activation, Place place, Outcome outcome, Payload result) {
        replaceResult(draft, place, result);
        Branching.noted(draft, activation.scope(), place, outcome, result);
    }

    /** The same, where no visit has come to a result. */
    static void replaceResult(Draft draft, Place place, Payload result) {
        replace(draft, place, draft.node(place).withResult(result));
    }

    /** Its result, of so many bytes, is left out from now on. */
    static void leaveOut(Draft draft, Place place, long bytes) {
        replace(draft, place, draft.node(place).withoutResult(bytes));
    }

    private static void replace(Draft draft, Place place, NodeState changed) {
        NodeState node = draft.node(place);
        draft.weight += Weight.of(changed.result()) - Weight.of(node.result());
        draft.contextBytes += changed.resultBytes() - node.resultBytes();
        draft.nodes = draft.nodes.with(place.number(), changed);
    }

    static void noLongerLive(Draft draft, Activation activation) {
        draft.post.awaits = draft.post.awaits.without(activation.id());
        HumanApplier.over(draft, activation.id());
        ScopeInstance scope = draft.tree.scopes.get(activation.scope());
        if (scope != null && scope.live().get(activation.id()) != null) {
            draft.tree.live--;
            Scopes.put(draft, scope.settled(activation.id()));
        }
    }
}
