package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.TimerEvent;
import dev.flowstone.kernel.event.TimerEvent.TickPlanned;
import dev.flowstone.kernel.id.NodeId;
import org.jspecify.annotations.Nullable;

/** What recurring timers remember from one visit to the next (R19): one tick per scope instance and node. */
final class TickApplier {
    /** Sorts before every node. */
    private static final NodeId FIRST = new NodeId(" ");

    private TickApplier() {}

    static void apply(Draft draft, Event event, TimerEvent timer) {
        switch (timer) {
            case TickPlanned body -> planned(draft, event, body);
        }
    }

    private static void planned(Draft draft, Event event, TickPlanned body) {
        if (event.sequence() == event.header().firstSequence()) {
            // The timer went off: the run has waited for it, also if this tick isn't the one that it was set for.
            draft.waits++;
        }
        Activation activation = draft.activation(body.activation());
        if (activation == null || !activation.isLive()) {
            return;
        }
        TickPlace place = place(activation);
        Tick before = draft.ticks.get(place);
        draft.ticks = draft.ticks.with(
                place,
                new Tick(
                        body.activation().visit(),
                        before == null ? event.header().eventTime() : before.done(),
                        body.dueAt(),
                        body.grid(),
                        body.missed()));
    }

    /** The tick that the activation stands for, or null if its timer doesn't recur. */
    static @Nullable Tick of(Draft draft, Activation activation) {
        Tick tick = draft.ticks.get(place(activation));
        return tick == null || tick.visit() != activation.id().visit() ? null : tick;
    }

    static void fired(Draft draft, Activation activation, Tick tick) {
        draft.ticks = draft.ticks.with(place(activation), tick.fired());
    }

    /** A scope that is entered again begins a new grid. */
    static void closed(Draft draft, int scope) {
        TickPlace place = draft.ticks.ceilingKey(new TickPlace(scope, FIRST));
        while (place != null && place.scope() == scope) {
            draft.ticks = draft.ticks.without(place);
            place = draft.ticks.ceilingKey(place);
        }
    }

    static TickPlace place(Activation activation) {
        return new TickPlace(activation.scope(), activation.id().node());
    }
}
