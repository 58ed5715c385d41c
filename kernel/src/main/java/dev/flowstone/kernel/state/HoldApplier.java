package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.event.ControlEvent.ActivationParked;
import dev.flowstone.kernel.event.ControlEvent.ActivationReleased;
import dev.flowstone.kernel.event.ControlEvent.BufferedInputTaken;
import dev.flowstone.kernel.event.ControlEvent.HoldImposed;
import dev.flowstone.kernel.event.ControlEvent.HoldLifted;
import dev.flowstone.kernel.event.ControlEvent.InputBuffered;
import dev.flowstone.kernel.event.ControlEvent.RunDraining;
import dev.flowstone.kernel.event.ControlEvent.RunSuspended;
import dev.flowstone.kernel.event.ControlEvent.TimerFrozen;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;

/** Suspensions and drains (R25). */
final class HoldApplier {
    private HoldApplier() {}

    static void suspended(Draft draft, RunSuspended body) {
        draft.control = draft.control.with(new Suspension(Hold.SUSPENDED, body.policy(), body.reason(), body.scope()));
    }

    static void draining(Draft draft, RunDraining body) {
        draft.control = draft.control.with(new Suspension(Hold.DRAINING, body.policy(), body.reason(), body.scope()));
        parkedOnes(draft);
    }

    /** The run's own suspension or drain is over. */
    static void lifted(Draft draft) {
        draft.control = draft.control.with((Suspension) null);
        parkedOnes(draft);
    }

    static void imposed(Draft draft, HoldImposed body) {
        Hold hold = switch (body.mode()) {
            case GO -> Hold.NONE;
            case DRAIN -> Hold.DRAINING;
            case SUSPEND -> Hold.SUSPENDED;
        };
        draft.control = draft.control.with(
                new WideHold(body.number(), hold, body.policy(), body.reason(), body.scope(), body.expiresAt(), false));
        parkedOnes(draft);
    }

    /** The scope that the run lies in is held no more. */
    static void lifted(Draft draft, HoldLifted body) {
        draft.control = draft.control.with(WideHold.lifted(body.number()));
        parkedOnes(draft);
    }

    static void waived(Draft draft) {
        draft.control = draft.control.with(draft.control.wide().waive());
        parkedOnes(draft);
    }

    /**
     * What was parked begins by way of the work list, and waits once more if the run drains anew; what was buffered is
     * decided when that is empty.
     */
    private static void parkedOnes(Draft draft) {
        switch (draft.control.hold()) {
            case NONE -> {
                if (!draft.control.parked().isEmpty()) {
                    Queue.pushOnce(draft, new WorkItem.Release());
                }
            }
            case DRAINING -> Queue.remove(draft, Queue.find(draft, new WorkItem.Release()));
            case SUSPENDED -> {}
        }
    }

    static void buffered(Draft draft, InputBuffered body) {
        Controls control = draft.control;
        draft.control = control.with(control.buffer().with(body.number(), body.input()), body.number());
        draft.weight += weight(body.input());
    }

    static void taken(Draft draft, EventHeader header, BufferedInputTaken body) {
        Controls control = draft.control;
        JsonObject input = control.buffer().get(body.number());
        if (input == null) {
            return;
        }
        LongMap<JsonObject> rest = control.buffer().without(body.number());
        draft.control = control.with(rest, control.inputs());
        draft.weight -= weight(input);
        draft.speaker = Speaker.of(input, header);
    }

    static void frozen(Draft draft, TimerFrozen body) {
        TimerState timer = draft.timers.get(body.timer());
        if (timer != null) {
            Controls control = draft.control;
            SortedTree<TimerId, FrozenTimer> frozen =
                    control.frozen().with(body.timer(), new FrozenTimer(timer, body.remaining()));
            draft.control = control.with(frozen, control.thaws());
        }
    }

    /** A timer that stood still is set again: it stands still no longer. */
    static void thawed(Draft draft, TimerId timer) {
        Controls control = draft.control;
        if (control.frozen().get(timer) != null) {
            SortedTree<TimerId, FrozenTimer> rest = control.frozen().without(timer);
            draft.control = control.with(rest, rest.isEmpty() ? control.thaws() + 1 : control.thaws());
        }
    }

    static void parked(Draft draft, ActivationParked body) {
        Controls control = draft.control;
        draft.control = control.parked(control.parked().with(body.activation(), body.activation()));
    }

    static void released(Draft draft, ActivationReleased body) {
        unparked(draft, body.activation());
        Activation activation = draft.activation(body.activation());
        if (activation != null && !activation.key().equals(body.key())) {
            Activations.put(
                    draft,
                    draft.topology.place(body.activation().node()),
                    activation.renamed(activation.id(), body.key()));
        }
        if (draft.head() instanceof WorkItem.Release) {
            Queue.pop(draft);
            Queue.push(draft, new WorkItem.Release());
        }
        withoutRelease(draft);
    }

    static void unparked(Draft draft, ActivationId activation) {
        Controls control = draft.control;
        if (control.parked().get(activation) != null) {
            draft.control = control.parked(control.parked().without(activation));
        }
    }

    /** When the last of those that wait is gone, so is the work of letting them go. */
    static void withoutRelease(Draft draft) {
        if (draft.control.parked().isEmpty()) {
            Queue.remove(draft, Queue.find(draft, new WorkItem.Release()));
        }
    }

    static long weight(JsonObject input) {
        return Weight.of(Payload.of(input));
    }
}
