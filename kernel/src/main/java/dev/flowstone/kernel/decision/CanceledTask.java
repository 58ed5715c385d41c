package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Attempt;

/**
 * An answer to an activation that was canceled, has failed, or was settled by another attempt while this one was open: a
 * success is a real effect and never forgotten (R12); anything else only says that the attempt is over, which the run's end
 * waits for (R23).
 */
final class CanceledTask {
    /** Different successes of one activation that are recorded; a handler that tells more contradicts itself. */
    static final int EFFECTS = 4;

    private CanceledTask() {}

    static void answered(Deciding deciding, Activation activation, int attempt, TaskAnswer answer) {
        long waits = deciding.state().waits();
        record(deciding, activation, attempt, answer);
        discount(deciding, waits);
    }

    /** Likewise of one that was visited so often since that the run has forgotten the activation. */
    static void forgotten(Deciding deciding, ActivationId id, int attempt, TaskAnswer answer) {
        long waits = deciding.state().waits();
        closed(deciding, id, attempt, answer);
        discount(deciding, waits);
    }

    private static void discount(Deciding deciding, long waits) {
        if (deciding.state().waits() > waits) {
            Runaway.notAwaited(deciding);
        }
    }

    private static void record(Deciding deciding, Activation activation, int attempt, TaskAnswer answer) {
        ActivationId id = activation.id();
        Attempt open = deciding.state().attempt(id);
        boolean isOpen = open != null && open.attempt() == attempt;
        if (answer instanceof TaskAnswer.Ok ok) {
            // An open attempt's success is no repetition, though another attempt's was equal: the run's end waits for
            // it.
            if (isOpen || !CompleteTask.repeats(deciding, activation, answer)) {
                observed(deciding, id, attempt, ok.output());
            }
            return;
        }
        if (isOpen) {
            closed(deciding, id, attempt, answer);
        }
    }

    /** The open attempt of a canceled activation is over. */
    private static void closed(Deciding deciding, ActivationId id, int attempt, TaskAnswer answer) {
        switch (answer) {
            case TaskAnswer.Ok ok -> observed(deciding, id, attempt, ok.output());
            case TaskAnswer.Skipped skipped -> deciding.emit(new EventBody.TaskSkipped(id, attempt, skipped.reason()));
            case TaskAnswer.Failed failed -> failed(deciding, id, attempt, failed.failure(), failed.error());
            case TaskAnswer.TimedOut _ -> deciding.emit(new EventBody.TaskTimedOut(id, attempt, false));
            case TaskAnswer.Lost _ ->
                failed(
                        deciding,
                        id,
                        attempt,
                        FailureClass.RETRYABLE,
                        TaskError.of("ATTEMPT_LOST", "the node that worked on it died"));
            case TaskAnswer.Returned _ -> deciding.emit(new EventBody.TaskReturned(id, attempt));
        }
    }

    private static void failed(Deciding deciding, ActivationId id, int attempt, FailureClass failure, TaskError error) {
        deciding.emit(new EventBody.TaskFailed(id, attempt, failure, error, false));
    }

    /** Whether nothing is known of an effect of it yet. What has failed has an answer already, and may have an effect all the same. */
    private static boolean isFirst(Deciding deciding, Activation activation) {
        boolean failed = activation.outcome() != null && activation.outcome().isFailure();
        return activation.answer() == null
                || (failed
                        && activation.effects().isEmpty()
                        && deciding.state().undoing().known().get(activation.id()) == null);
    }

    /** As an event can hold it. */
    static Payload kept(Deciding deciding, Payload output) {
        if (Answers.recordable(output, deciding.bounds())) {
            return output;
        }
        TaskError why = Answers.tooLarge(output, deciding.bounds()).error();
        return Payload.of(JsonObject.builder()
                .put("omitted", why.code())
                .put("message", why.message())
                .build());
    }

    /** Whether as many different successes of it are known as are recorded, so that its history has an end. */
    static boolean hasToldEnough(Activation activation) {
        return activation.effects().size() >= EFFECTS;
    }

    static void observed(Deciding deciding, ActivationId id, int attempt, Payload output) {
        Activation before = deciding.state().activation(id);
        boolean first = before != null && isFirst(deciding, before);
        int number = before == null ? 1 : before.effects().size() + 1;
        deciding.emit(new EventBody.EffectObserved(id, attempt, kept(deciding, output), number));
        Activation observed = deciding.state().activation(id);
        if (observed != null && first) {
            Compensating.observed(deciding, observed);
        }
    }
}
