package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.ActivationStatus;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RecordedAnswer;
import java.util.Optional;

/** An attempt's answer (R11, R12): which of an activation's four situations it meets. */
final class CompleteTask {
    private CompleteTask() {}

    static Optional<Decision.Rejected> decide(Deciding deciding, Command.CompleteTask command) {
        ActivationId id = command.activation();
        if (id.isUndoing()) {
            return UndoAnswer.decide(deciding, command);
        }
        Place place = deciding.state().topology().find(id.node().value());
        if (place == null) {
            return rejected(RejectionCode.NOT_FOUND, "this program has no node " + id.node());
        }
        if (!(place.node() instanceof Node.Task task)) {
            return rejected(RejectionCode.INVALID_STATE, id.node() + " is no task");
        }
        Activation activation = deciding.state().activation(id);
        Attempt open = deciding.state().attempt(id);
        boolean isOpen = open != null && open.attempt() == command.attempt();
        if (activation == null && isOpen) {
            TaskAnswer late = Answers.bounded(command.answer(), deciding.bounds());
            Drifting.byThisRun(deciding, command);
            long before = deciding.state().lastSequence();
            CanceledTask.forgotten(deciding, id, command.attempt(), late);
            Linking.claim(deciding, before, id, command.attempt(), late);
            return Optional.empty();
        }
        if (activation == null) {
            if (id.visit() > deciding.state().node(place).visits()) {
                return rejected(RejectionCode.NOT_FOUND, "the run has not come to " + id);
            }
            return Drifting.byThisRun(deciding, command)
                    ? Optional.empty()
                    : rejected(RejectionCode.CONFLICT, id + " was settled long ago");
        }
        if (command.attempt() < 1 || command.attempt() > activation.attempt()) {
            return rejected(RejectionCode.NOT_FOUND, id + " has no attempt " + command.attempt());
        }
        TaskAnswer answer = Answers.bounded(command.answer(), deciding.bounds());
        if (activation.isLive()) {
            Drifting.byThisRun(deciding, command);
            deciding.within(activation.scope());
            long before = deciding.state().lastSequence();
            LiveTask.answered(deciding, task, activation, command.attempt(), answer);
            Linking.claim(deciding, before, id, command.attempt(), answer);
            return Optional.empty();
        }
        if (activation.status() == ActivationStatus.CANCELED
                || isOpen
                || isLate(activation, command.attempt(), answer)) {
            // Or it was settled by an attempt before this one, which then has still to end.
            boolean drifted = Drifting.byThisRun(deciding, command);
            if (!isOpen && isOneTooMany(deciding, activation, answer)) {
                return drifted ? Optional.empty() : tooMany(id);
            }
            long before = deciding.state().lastSequence();
            CanceledTask.answered(deciding, activation, command.attempt(), answer);
            Linking.claim(deciding, before, id, command.attempt(), answer);
            return Optional.empty();
        }
        if (Drifting.byThisRun(deciding, command)) {
            // However it was settled: the subject is what this attempt made of it.
            return Optional.empty();
        }
        return settled(deciding, activation, command.attempt(), answer);
    }

    /**
     * Whether it is the success of what counts as failed: nobody waits for it, and its effect is as real as any (R12). An
     * attempt that has told already how it ended contradicts itself, which is a conflict.
     */
    private static boolean isLate(Activation activation, int attempt, TaskAnswer answer) {
        return answer instanceof TaskAnswer.Ok
                && activation.outcome() != null
                && activation.outcome().isFailure()
                && (attempt < activation.attempt() || !isTold(activation));
    }

    /** Whether nobody waits for this success, nor for any of those that have been recorded of it. */
    private static boolean isOneTooMany(Deciding deciding, Activation activation, TaskAnswer answer) {
        return answer instanceof TaskAnswer.Ok
                && CanceledTask.hasToldEnough(activation)
                && !repeats(deciding, activation, answer);
    }

    private static Optional<Decision.Rejected> tooMany(ActivationId id) {
        return rejected(
                RejectionCode.CONFLICT,
                id + " has told " + CanceledTask.EFFECTS
                        + " different successes since it was over; they are recorded, and no more are");
    }

    /** Whether its last attempt has told how it ended, and was not just given up. */
    private static boolean isTold(Activation activation) {
        RecordedAnswer answer = activation.answer();
        return answer != null && !answer.matches(new TaskAnswer.TimedOut()) && !answer.matches(LiveTask.LOST);
    }

    /** The same answer is accepted again and changes nothing; another one comes too late. */
    private static Optional<Decision.Rejected> settled(
            Deciding deciding, Activation activation, int attempt, TaskAnswer answer) {
        boolean ignored = switch (answer) {
            case TaskAnswer.TimedOut _, TaskAnswer.Lost _, TaskAnswer.Returned _ -> true;
            case TaskAnswer.Failed _ -> attempt < activation.attempt();
            case TaskAnswer.Ok _, TaskAnswer.Skipped _ -> false;
        };
        if (ignored || repeats(deciding, activation, answer)) {
            return Optional.empty();
        }
        return rejected(RejectionCode.CONFLICT, activation.id() + " is settled, with another answer");
    }

    static boolean repeats(Deciding deciding, Activation activation, TaskAnswer answer) {
        RecordedAnswer recorded = activation.answer();
        if (recorded == null) {
            return false;
        }
        if (!(answer instanceof TaskAnswer.Ok ok)) {
            return recorded.matches(answer);
        }
        if (activation.hasObserved(new TaskAnswer.Ok(CanceledTask.kept(deciding, ok.output())))) {
            return true;
        }
        // One that was too large was recorded as a failure.
        return recorded.matches(answer)
                || recorded.matches(Answers.tooLarge(ok.output(), deciding.bounds()))
                || recorded.matches(ContextBound.failure(deciding, ok.output()));
    }

    private static Optional<Decision.Rejected> rejected(RejectionCode code, String reason) {
        return Optional.of(new Decision.Rejected(code, reason));
    }
}
