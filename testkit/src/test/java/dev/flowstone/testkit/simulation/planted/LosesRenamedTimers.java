package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.state.RunState;
import java.util.List;

/** A run is moved, and timers of nodes that have other names now aren't set again. */
public final class LosesRenamedTimers extends SpoiledDecisions {
    @Override
    List<EventBody> spoiled(RunState before, Command command, List<EventBody> events) {
        return command instanceof ControlCommand.MigrateRun
                ? events.stream()
                        .filter(event -> !(event instanceof EventBody.TimerSet))
                        .toList()
                : events;
    }
}
