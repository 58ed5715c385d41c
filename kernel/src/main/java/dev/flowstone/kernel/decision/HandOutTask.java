package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.state.Attempt;
import java.util.Optional;

/** An attempt that came back unused goes out again, under its number (R11). */
final class HandOutTask {
    private HandOutTask() {}

    static Optional<Decision.Rejected> decide(Deciding deciding, Command.HandOutTask command) {
        Attempt open = deciding.state().attempt(command.activation());
        if (open == null || open.attempt() != command.attempt()) {
            return Optional.of(new Decision.Rejected(
                    RejectionCode.INVALID_STATE,
                    "attempt " + command.attempt() + " of " + command.activation() + " is not open"));
        }
        if (open.returned()) {
            deciding.emit(new EventBody.TaskHandedOut(command.activation(), command.attempt()));
        }
        return Optional.empty();
    }
}
