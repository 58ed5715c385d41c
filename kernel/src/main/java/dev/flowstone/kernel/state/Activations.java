package dev.flowstone.kernel.state;

import dev.flowstone.kernel.payload.Payload;
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
            node = node.withResult(result);
        }
        draft.weight -= Weight.of(activation.input());
        draft.nodes = draft.nodes.with(place.number(), node);
        noLongerLive(draft, activation);
        Queue.push(draft, new WorkItem.Route(activation.scope(), activation.id()));
    }

    /** What later nodes see of this one from now on. */
    static void keepResult(Draft draft, Place place, Payload result) {
        NodeState node = draft.node(place);
        draft.weight += Weight.of(result) - Weight.of(node.result());
        draft.nodes = draft.nodes.with(place.number(), node.withResult(result));
    }

    static void noLongerLive(Draft draft, Activation activation) {
        ScopeInstance scope = draft.scopes.get(activation.scope());
        if (scope != null) {
            Scopes.put(draft, scope.settled(activation.id()));
        }
    }
}
