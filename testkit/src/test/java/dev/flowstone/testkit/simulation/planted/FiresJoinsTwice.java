package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.state.RunState;
import java.util.List;
import java.util.stream.Stream;

/** A join fires, and fires again. */
public final class FiresJoinsTwice extends SpoiledDecisions {
    @Override
    List<EventBody> spoiled(RunState before, Command command, List<EventBody> events) {
        return events.stream()
                .flatMap(event -> event instanceof ForkEvent.JoinFired ? Stream.of(event, event) : Stream.of(event))
                .toList();
    }
}
