package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.event.MessageEvent.AwaitOpened;
import dev.flowstone.kernel.event.MessageEvent.AwaitTimedOut;
import dev.flowstone.kernel.event.MessageEvent.ChildBegun;
import dev.flowstone.kernel.event.MessageEvent.MessageReceived;
import dev.flowstone.kernel.event.MessageEvent.ParentDetached;
import dev.flowstone.kernel.event.MessageEvent.PermitAcquired;
import dev.flowstone.kernel.event.MessageEvent.PermitAwaited;
import dev.flowstone.kernel.event.MessageEvent.PermitGivenBack;
import dev.flowstone.kernel.event.MessageEvent.PermitLost;
import dev.flowstone.kernel.event.MessageEvent.PermitsReleased;
import dev.flowstone.kernel.event.MessageEvent.SignalAccepted;
import dev.flowstone.kernel.event.MessageEvent.SignalHandedBack;
import dev.flowstone.kernel.event.MessageEvent.SignalSent;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;

/** What messages do to a run (R20, R21): what it waits for, what it holds, whom it has heard. */
final class MessageApplier {
    private MessageApplier() {}

    static void apply(Draft draft, MessageEvent event) {
        switch (event) {
            case MessageReceived body -> {
                draft.post.heard = draft.post.heard.with(body.sender(), body.number());
                draft.waits++;
            }
            case AwaitOpened body ->
                wait(draft, new OpenAwait(body.activation(), body.channel(), false, body.signalType()));
            case PermitAwaited body ->
                wait(draft, new OpenAwait(body.activation(), body.semaphore(), true, body.name()));
            case SignalAccepted body -> result(draft, body.activation(), Outcome.SUCCESS, body.payload());
            case SignalHandedBack _, MessageEvent.ResourceClaimed _, MessageEvent.ResourceSettled _ -> {}
            case PermitAcquired body -> acquired(draft, body);
            case PermitGivenBack body -> drop(draft, body.activation(), body.semaphore());
            case PermitLost body -> drop(draft, body.activation(), body.semaphore());
            case AwaitTimedOut body -> timedOut(draft, body.activation(), "nothing came within the timeout");
            case SignalSent body ->
                result(
                        draft,
                        body.activation(),
                        Outcome.SUCCESS,
                        Payload.of(JsonObject.builder()
                                .put("type", body.signalType())
                                .put("key", body.key())
                                .build()));
            case PermitsReleased body ->
                result(
                        draft,
                        body.activation(),
                        Outcome.SUCCESS,
                        Payload.of(JsonObject.builder()
                                .put("released", body.awaits())
                                .build()));
            case MessageEvent.ChildStarted body -> ChildApplier.started(draft, body);
            case MessageEvent.CallTimedOut body -> ChildApplier.timedOut(draft, body);
            case MessageEvent.ChildControlled body -> ChildApplier.controlled(draft, body);
            case MessageEvent.ChildEnded body -> ChildApplier.ended(draft, body);
            case ChildBegun body -> {
                draft.post.parentage = new Parentage(
                        body.parent(),
                        body.activation(),
                        body.awaited(),
                        false,
                        body.root(),
                        body.depth(),
                        body.lineage());
                draft.post.principal = draft.topology.calls() ? body.principal() : "";
            }
            case ParentDetached _ -> {
                if (draft.post.parentage != null) {
                    draft.post.parentage = draft.post.parentage.cutLoose();
                }
            }
        }
    }

    private static void wait(Draft draft, OpenAwait await) {
        Activation activation = draft.activation(await.activation());
        if (activation != null && activation.isLive()) {
            Activations.put(draft, draft.topology.place(await.activation().node()), activation.active());
            draft.post.awaits = draft.post.awaits.with(await.activation(), await);
        }
    }

    private static void acquired(Draft draft, PermitAcquired body) {
        Activation activation = draft.activation(body.activation());
        OpenAwait await = draft.post.awaits.get(body.activation());
        if (activation == null || !activation.isLive()) {
            return;
        }
        hold(
                draft,
                new HeldPermit(
                        body.activation(),
                        activation.scope(),
                        body.semaphore(),
                        body.permits(),
                        body.fence(),
                        body.expiresAt()));
        JsonObject output = JsonObject.builder()
                .put("semaphore", await == null ? "" : await.name())
                .put("permits", body.permits())
                .put("fence", body.fence())
                .put("expiresAt", Times.write(body.expiresAt()))
                .build();
        result(draft, body.activation(), Outcome.SUCCESS, Payload.of(output));
    }

    static void hold(Draft draft, HeldPermit permit) {
        draft.post.permits = draft.post.permits.with(permit.activation(), permit);
        draft.post.permitPlaces =
                draft.post.permitPlaces.with(new PermitPlace(permit.scope(), permit.activation()), permit.activation());
    }

    private static void drop(Draft draft, ActivationId id, RunId semaphore) {
        HeldPermit permit = draft.post.permits.get(id);
        if (permit != null && permit.semaphore().equals(semaphore)) {
            draft.post.permits = draft.post.permits.without(id);
            draft.post.permitPlaces = draft.post.permitPlaces.without(new PermitPlace(permit.scope(), id));
        }
    }

    static void timedOut(Draft draft, ActivationId id, String message) {
        Activation activation = draft.activation(id);
        if (activation != null) {
            TaskError error = TaskError.of("TIMEOUT", message);
            JsonObject result = TaskApplier.failure(draft.topology.place(id.node()), error);
            result(draft, id, Outcome.TIMEOUT, Payload.of(result));
        }
    }

    static void result(Draft draft, ActivationId id, Outcome outcome, Payload payload) {
        Activation activation = draft.activation(id);
        if (activation != null && activation.isLive()) {
            Activations.result(draft, activation, outcome, null, payload);
        }
    }
}
