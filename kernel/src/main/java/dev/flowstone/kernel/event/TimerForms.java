package dev.flowstone.kernel.event;

import dev.flowstone.kernel.event.EventBody.TimerCanceled;
import dev.flowstone.kernel.event.EventBody.TimerFired;
import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.event.EventBody.TimerSet;
import dev.flowstone.kernel.event.TimerEvent.TickPlanned;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.program.Grid;

/** Stored forms of what happens to timers. */
final class TimerForms {
    private TimerForms() {}

    static void write(FrameOutput out, TimerSet body) {
        body.activation().ifPresent(activation -> out.name("activation").string(activation.toString()));
        out.name("dueAt").time(body.dueAt());
        out.name("generation").number(body.generation());
        out.name("purpose").string(body.purpose().name());
        out.name("timer").string(body.timer().value());
    }

    static TimerSet set(JsonCursor at) {
        return new TimerSet(
                at.as("timer", TimerId::new),
                at.intValue("generation"),
                at.as("dueAt", Times::read),
                at.as("purpose", TimerPurpose::valueOf),
                at.find("activation").map(activation -> activation.as(ActivationId::parse)));
    }

    static void write(FrameOutput out, TimerFired body) {
        out.name("generation").number(body.generation());
        out.name("timer").string(body.timer().value());
    }

    static TimerFired fired(JsonCursor at) {
        return new TimerFired(at.as("timer", TimerId::new), at.intValue("generation"));
    }

    static void write(FrameOutput out, TimerCanceled body) {
        out.name("generation").number(body.generation());
        out.name("timer").string(body.timer().value());
    }

    static void write(FrameOutput out, TimerEvent event) {
        switch (event) {
            case TickPlanned body -> {
                out.name("activation").string(body.activation().toString());
                out.name("dueAt").time(body.dueAt());
                out.name("grid").value(body.grid().toJson());
                out.name("missed").number(body.missed());
            }
        }
    }

    static TickPlanned planned(JsonCursor at) {
        return new TickPlanned(
                at.as("activation", ActivationId::parse),
                at.as("dueAt", Times::read),
                Grid.read(at.member("grid")),
                at.intValue("missed"));
    }

    static TimerCanceled canceled(JsonCursor at) {
        return new TimerCanceled(at.as("timer", TimerId::new), at.intValue("generation"));
    }
}
