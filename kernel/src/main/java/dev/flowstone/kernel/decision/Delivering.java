package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Command;
import java.util.Optional;

/** To be written on this branch: a message of another run or of an aggregate (R21). */
final class Delivering {
    private Delivering() {}

    static Optional<Decision.Rejected> decide(Deciding deciding, Command.Deliver deliver) {
        return Optional.of(new Decision.Rejected(RejectionCode.INVALID_STATE, deciding.now() + " " + deliver));
    }
}
