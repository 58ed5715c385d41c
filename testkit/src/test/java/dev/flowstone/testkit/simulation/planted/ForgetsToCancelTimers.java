package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.state.RunState;
import java.util.List;

/** A timer stays set when what it was for has ended. */
public final class ForgetsToCancelTimers extends SpoiledDecisions {
    @Override
    List<EventBody> spoiled(RunState before, Command command, List<EventBody> events) {
        return events.stream()
                .filter(event -> !(event instanceof EventBody.TimerCanceled))
                .toList();
    }
}
