package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody.TimerCanceled;
import dev.flowstone.kernel.event.EventBody.TimerFired;
import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.event.EventBody.TimerSet;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;

/** Timers (R19). */
final class TimerApplier {
    private TimerApplier() {}

    static void set(Draft draft, TimerSet body) {
        HoldApplier.thawed(draft, body.timer());
        if (draft.timers.get(body.timer()) == null) {
            draft.weight += Weight.TIMER;
        }
        draft.timers = draft.timers.with(
                body.timer(),
                new TimerState(body.timer(), body.generation(), body.dueAt(), body.purpose(), body.activation()));
        if (body.purpose() == TimerPurpose.WAIT) {
            body.activation()
                    .map(draft::activation)
                    .ifPresent(waiting -> Activations.put(
                            draft, draft.topology.place(waiting.id().node()), waiting.active()));
        }
    }

    /** One that goes off in the decision that set it wasn't waited for. */
    static void fired(Draft draft, Event event, TimerFired body) {
        TimerState timer = draft.timers.get(body.timer());
        if (timer == null) {
            return;
        }
        unset(draft, body.timer());
        if (event.sequence() == event.header().firstSequence() && timer.purpose() != TimerPurpose.HOLD) {
            draft.waits++;
        }
        Activation activation = timer.activation().map(draft::activation).orElse(null);
        if (timer.purpose() == TimerPurpose.WAIT && activation != null && activation.isLive()) {
            Tick tick = TickApplier.of(draft, activation);
            JsonObject.Builder output = JsonObject.builder()
                    .put("dueAt", Times.write(tick == null ? timer.dueAt() : tick.dueAt()))
                    .put("firedAt", Times.write(event.header().eventTime()));
            if (tick != null) {
                TickApplier.fired(draft, activation, tick);
                if (tick.missed() > 0) {
                    output.put("missed", tick.missed());
                }
            }
            Activations.result(draft, activation, Outcome.SUCCESS, null, Payload.of(output.build()));
        }
    }

    static void canceled(Draft draft, TimerCanceled body) {
        if (draft.timers.get(body.timer()) != null) {
            unset(draft, body.timer());
        }
    }

    private static void unset(Draft draft, TimerId timer) {
        draft.timers = draft.timers.without(timer);
        draft.weight -= Weight.TIMER;
    }
}
