package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.ResourceSettled;
import dev.flowstone.kernel.state.RunState;
import java.util.List;

/** Whoever claims a resource takes it for its own, whoever was first. */
public final class TellsEverybodyItIsTheirs extends SpoiledDecisions {
    @Override
    List<EventBody> spoiled(RunState before, Command command, List<EventBody> events) {
        return events.stream()
                .<EventBody>map(event -> event instanceof ResourceSettled settled
                        ? new ResourceSettled(
                                settled.activation(), settled.resource(), true, settled.owner(), settled.content())
                        : event)
                .toList();
    }
}
