package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.HumanEvent.Settlement;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.HumanTaskState;
import java.util.Optional;

/**
 * The subject has another version (R15). If this run made it, the pins advance and decisions stay. Any other change is
 * drift: what was decided and not applied is void, and each open human task follows its rule, one at a time, over several
 * decisions if need be.
 */
final class Drifting {
    private Drifting() {}

    static Optional<Decision.Rejected> decide(Deciding deciding, DataCommand.SubjectChanged command) {
        Draft state = deciding.state();
        if (state.status().isFinal()) {
            return Refusal.of(RejectionCode.INVALID_STATE, "the run has ended");
        }
        if (command.version() < 0) {
            return Refusal.of(RejectionCode.INVALID_COMMAND, "a subject's versions count from 0");
        }
        long known = state.data().subjectVersion().orElse(-1L);
        if (command.version() == known) {
            return Optional.empty();
        }
        if (command.version() < known) {
            return Refusal.of(
                    RejectionCode.CONFLICT,
                    "version " + command.version() + " of the subject is older than the one known, " + known);
        }
        if (!command.byThisRun()) {
            finish(deciding);
        }
        deciding.emit(new DataEvent.SubjectChanged(command.byThisRun(), command.version()));
        return Optional.empty();
    }

    /** The subject has the version that an attempt gave it; false if that is known, or it gave none. */
    static boolean byThisRun(Deciding deciding, Command.CompleteTask command) {
        long known = deciding.state().data().subjectVersion().orElse(-1L);
        if (command.subjectVersion().isEmpty() || command.subjectVersion().get() <= known) {
            return false;
        }
        deciding.emit(
                new DataEvent.SubjectChanged(true, command.subjectVersion().get()));
        return true;
    }

    /** Deals with what the change before has left over, so that each change is told by itself. */
    private static void finish(Deciding deciding) {
        boolean more = true;
        while (more) {
            more = step(deciding);
        }
    }

    /** One piece; false if there was none. */
    static boolean step(Deciding deciding) {
        Draft state = deciding.state();
        ActivationId voided = state.people().firstVoided();
        if (voided != null) {
            deciding.emit(new HumanEvent.DecisionsVoided(voided, version(state)));
            return true;
        }
        ActivationId drifting = state.ending() == Ending.NONE ? state.people().firstDrifting() : null;
        if (drifting == null) {
            return false;
        }
        first(deciding, drifting);
        return true;
    }

    /** Deals with this task before anything else happens to it. */
    static void first(Deciding deciding, ActivationId id) {
        Draft state = deciding.state();
        if (!state.people().isDrifting(id) || !(state.program().node(id.node()) instanceof Node.HumanTask node)) {
            return;
        }
        deciding.emit(new HumanEvent.DecisionsVoided(id, version(state)));
        HumanTaskState task = state.people().humanTask(id);
        if (task == null) {
            return;
        }
        switch (node.drift()) {
            case GO_ON -> {}
            case FAIL ->
                Settling.fail(
                        deciding,
                        id,
                        TaskError.of(
                                "WORKFLOW_VERSION_DRIFT",
                                "the subject was changed to version " + version(state) + " while people decided"));
            case EXIT -> Settling.settle(deciding, task, Settlement.DRIFT, Outcome.DRIFT, Optional.empty());
        }
    }

    private static long version(Draft state) {
        return state.data().subjectVersion().orElse(0L);
    }
}
