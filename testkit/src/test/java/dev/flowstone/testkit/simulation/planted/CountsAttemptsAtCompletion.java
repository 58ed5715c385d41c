package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.state.RunState;
import java.util.List;

/** An attempt that died with its node doesn't count: a handler that kills its node is called again for ever. */
public final class CountsAttemptsAtCompletion extends SpoiledDecisions {
    @Override
    List<EventBody> spoiled(RunState before, Command command, List<EventBody> events) {
        boolean lost = command instanceof Command.CompleteTask complete && complete.answer() instanceof TaskAnswer.Lost;
        return lost ? events.stream().map(CountsAttemptsAtCompletion::uncounted).toList() : events;
    }

    private static EventBody uncounted(EventBody event) {
        return event instanceof EventBody.TaskScheduled task && task.attempt() > 1
                ? new EventBody.TaskScheduled(
                        task.activation(), task.attempt() - 1, task.handler(), task.input(), task.timeout())
                : event;
    }
}
