package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.state.RunState;
import java.util.List;
import java.util.stream.Stream;

/** A gate uses what was decided, and so does another. */
public final class AppliesDecisionsTwice extends SpoiledDecisions {
    @Override
    List<EventBody> spoiled(RunState before, Command command, List<EventBody> events) {
        return events.stream()
                .flatMap(event ->
                        event instanceof HumanEvent.DecisionApplied ? Stream.of(event, event) : Stream.of(event))
                .toList();
    }
}
