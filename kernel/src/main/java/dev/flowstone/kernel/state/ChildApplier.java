package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.MessageEvent.CallTimedOut;
import dev.flowstone.kernel.event.MessageEvent.ChildControlled;
import dev.flowstone.kernel.event.MessageEvent.ChildEnded;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;

/** What becomes of a run's children, as far as it knows (R22). */
final class ChildApplier {
    private ChildApplier() {}

    static void started(Draft draft, ChildStarted body) {
        Place place = draft.topology.find(body.activation().node().value());
        Activation activation = draft.activation(body.activation());
        if (place == null || activation == null) {
            return;
        }
        ChildPolicies policies = place.node() instanceof Node.Call call ? call.policies() : ChildPolicies.CASCADE;
        put(draft, new OpenChild(body.activation(), body.child(), body.called(), body.awaited(), false, policies));
        if (body.awaited()) {
            Activations.put(draft, place, activation.active());
        } else {
            MessageApplier.result(
                    draft, body.activation(), Outcome.SUCCESS, ChildResult.spawned(place.node(), body.child()));
        }
    }

    static void timedOut(Draft draft, CallTimedOut body) {
        switch (body.policy()) {
            case WAIT -> {}
            case COMPLETE_THEN_CANCEL -> {
                OpenChild child = draft.post.children.get(body.activation());
                if (child != null) {
                    put(draft, child.late());
                }
            }
            case CASCADE, DETACH, FENCE_PARENT_ONLY, CANCEL_CHILDREN -> late(draft, body.activation());
        }
    }

    static void controlled(Draft draft, ChildControlled body) {
        switch (body.operation()) {
            case CANCEL, TERMINATE, DETACH -> forget(draft, body.activation());
            case SUSPEND, RESUME -> {}
        }
    }

    static void ended(Draft draft, ChildEnded body) {
        OpenChild child = draft.post.children.get(body.activation());
        forget(draft, body.activation());
        if (child == null || !child.awaited()) {
            return;
        }
        if (child.overdue()) {
            late(draft, body.activation());
            return;
        }
        Place place = draft.topology.find(body.activation().node().value());
        if (place == null) {
            // The run has moved to a program without the node since its call was canceled: nothing reads the result.
            return;
        }
        Node call = place.node();
        switch (body.ended()) {
            case SUCCEEDED ->
                MessageApplier.result(draft, body.activation(), Outcome.SUCCESS, ChildResult.kept(call, body.output()));
            case FAILED, REFUSED -> failed(draft, place, body, Outcome.FAILURE);
            case CANCELED -> failed(draft, place, body, ChildResult.canceled(call));
        }
    }

    private static void failed(Draft draft, Place place, ChildEnded body, Outcome outcome) {
        TaskError error = body.error().orElseGet(() -> TaskError.of("CHILD_" + body.ended(), "the child has ended"));
        JsonObject result = TaskApplier.failure(place, error);
        MessageApplier.result(draft, body.activation(), outcome, Payload.of(result));
    }

    private static void late(Draft draft, ActivationId activation) {
        MessageApplier.timedOut(draft, activation, "the child has not ended within the timeout");
    }

    static void put(Draft draft, OpenChild child) {
        if (child.awaited() && draft.post.children.get(child.activation()) == null) {
            draft.post.awaitedChildren++;
        }
        draft.post.children = draft.post.children.with(child.activation(), child);
    }

    private static void forget(Draft draft, ActivationId activation) {
        OpenChild child = draft.post.children.get(activation);
        if (child != null) {
            draft.post.children = draft.post.children.without(activation);
            draft.post.awaitedChildren -= child.awaited() ? 1 : 0;
        }
    }
}
