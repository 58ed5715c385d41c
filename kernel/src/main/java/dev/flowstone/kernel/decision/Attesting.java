package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import java.util.Optional;

/** Asks people about what the engine can't undo, and takes their answers, also after the run's end (R23, R24). */
final class Attesting {
    private Attesting() {}

    /** Asks, unless that was asked already and is still open. */
    static void request(Deciding deciding, String id, String reason, Optional<ActivationId> activation) {
        if (deciding.state().people().attestation(id) == null) {
            deciding.emit(new HumanEvent.AttestationRequested(activation, id, Answers.text(reason, Answers.MESSAGE)));
        }
    }

    static Optional<Decision.Rejected> decide(Deciding deciding, HumanCommand.Attest command) {
        if (deciding.state().people().attestation(command.id()) == null) {
            return Refusal.of(RejectionCode.NOT_FOUND, "no such attestation is open");
        }
        Optional<Decision.Rejected> refused = Refusal.text("statement", command.statement());
        if (refused.isEmpty()) {
            deciding.emit(new HumanEvent.AttestationGiven(command.id(), command.statement()));
        }
        return refused;
    }
}
