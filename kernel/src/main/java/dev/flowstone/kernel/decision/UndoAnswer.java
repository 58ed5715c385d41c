package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Compensation;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.TimerState;
import dev.flowstone.kernel.state.Undo;
import dev.flowstone.kernel.state.Undoing;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** An attempt to undo something has ended; the same rules as for a task's attempt (R11, R12, R24). */
final class UndoAnswer {
    private UndoAnswer() {}

    static Optional<Decision.Rejected> decide(Deciding deciding, Command.CompleteTask command) {
        ActivationId id = command.activation();
        Undo undo = deciding.state().undoing().running().get(id);
        TaskAnswer answer = Answers.bounded(command.answer(), deciding.bounds());
        if (undo == null) {
            // However it is over: the subject is what this attempt made of it.
            return Drifting.byThisRun(deciding, command) ? Optional.empty() : late(deciding, id, answer);
        }
        if (command.attempt() < 1 || command.attempt() > undo.attempt()) {
            return Optional.of(
                    new Decision.Rejected(RejectionCode.NOT_FOUND, id + " has no attempt " + command.attempt()));
        }
        Drifting.byThisRun(deciding, command);
        Attempt open = deciding.state().attempt(id);
        boolean current = open != null && open.attempt() == command.attempt();
        switch (answer) {
            case TaskAnswer.Ok ok -> {
                long before = deciding.state().lastSequence();
                applied(deciding, id, command.attempt(), recordable(deciding, ok.output()));
                Linking.claim(deciding, before, id, command.attempt(), ok);
            }
            case TaskAnswer.Skipped skipped ->
                applied(
                        deciding,
                        id,
                        command.attempt(),
                        Payload.of(JsonObject.builder()
                                .put("skipped", skipped.reason())
                                .build()));
            case TaskAnswer.Returned _ -> {
                if (open != null && current && !open.returned()) {
                    deciding.emit(new EventBody.TaskReturned(id, command.attempt()));
                }
            }
            case TaskAnswer.Failed _, TaskAnswer.TimedOut _, TaskAnswer.Lost _ -> {
                if (current) {
                    failed(deciding, id, command.attempt(), answer);
                }
            }
        }
        return Optional.empty();
    }

    /** A retry's pause is over. */
    static void retry(Deciding deciding, TimerState timer) {
        timer.activation()
                .map(id -> deciding.state().undoing().running().get(id))
                .ifPresent(undo -> handler(deciding, undo.activation())
                        .ifPresent(by -> Compensating.again(deciding, by, undo.activation(), undo.attempt() + 1)));
    }

    private static void applied(Deciding deciding, ActivationId id, int attempt, Payload output) {
        Timers.cancel(deciding, Timers.retry(id));
        deciding.emit(new CompensationEvent.CompensationApplied(id, attempt, output));
    }

    private static Payload recordable(Deciding deciding, Payload output) {
        return Answers.recordable(output, deciding.bounds())
                ? output
                : Payload.of(
                        JsonObject.builder().put("omitted", "RESULT_TOO_LARGE").build());
    }

    private static void failed(Deciding deciding, ActivationId id, int attempt, TaskAnswer answer) {
        Optional<Compensation.ByHandler> by = handler(deciding, id);
        boolean retryable = !(answer instanceof TaskAnswer.Failed failed)
                || failed.failure() == FailureClass.RETRYABLE
                || failed.failure() == FailureClass.EXTERNAL_LIMIT;
        boolean again =
                retryable && by.isPresent() && attempt < by.get().retry().attempts();
        TaskError error = error(answer);
        switch (answer) {
            case TaskAnswer.TimedOut _ -> deciding.emit(new EventBody.TaskTimedOut(id, attempt, !again));
            case TaskAnswer.Failed failed ->
                deciding.emit(new EventBody.TaskFailed(id, attempt, failed.failure(), error, !again));
            case TaskAnswer.Ok _, TaskAnswer.Skipped _, TaskAnswer.Lost _, TaskAnswer.Returned _ ->
                deciding.emit(new EventBody.TaskFailed(id, attempt, FailureClass.RETRYABLE, error, !again));
        }
        if (again) {
            pause(deciding, by.get(), id, attempt, answer);
        } else {
            Compensating.failed(deciding, id, error);
        }
    }

    private static void pause(
            Deciding deciding, Compensation.ByHandler by, ActivationId id, int attempt, TaskAnswer answer) {
        Duration pause = answer instanceof TaskAnswer.Lost
                ? Duration.ZERO
                : Backoff.after(attempt, by.retry(), deciding.random());
        if (answer instanceof TaskAnswer.Failed failed && failed.failure() == FailureClass.EXTERNAL_LIMIT) {
            Duration asked = failed.retryAfter().orElse(Duration.ZERO);
            pause = pause.compareTo(asked) >= 0 ? pause : asked;
        }
        if (pause.isZero() || pause.isNegative()) {
            Compensating.again(deciding, by, id, attempt + 1);
            return;
        }
        Instant due = Timers.due(deciding.now(), pause).orElse(Times.LAST);
        deciding.emit(new EventBody.TimerSet(
                Timers.retry(id),
                Timers.generation(deciding, attempt),
                due,
                EventBody.TimerPurpose.RETRY,
                Optional.of(id)));
    }

    private static TaskError error(TaskAnswer answer) {
        return switch (answer) {
            case TaskAnswer.Failed failed -> failed.error();
            case TaskAnswer.TimedOut _ -> TaskError.of("TIMEOUT", "no answer within the timeout");
            case TaskAnswer.Ok _, TaskAnswer.Skipped _, TaskAnswer.Lost _, TaskAnswer.Returned _ ->
                TaskError.of("ATTEMPT_LOST", "the node that worked on it died");
        };
    }

    private static Optional<Compensation.ByHandler> handler(Deciding deciding, ActivationId id) {
        return Compensating.compensation(deciding.state(), id)
                .filter(Compensation.ByHandler.class::isInstance)
                .map(Compensation.ByHandler.class::cast);
    }

    /** The same answer is accepted again and changes nothing; what says nothing about the work is no contradiction. */
    private static Optional<Decision.Rejected> late(Deciding deciding, ActivationId id, TaskAnswer answer) {
        Undoing undoing = deciding.state().undoing();
        Undoing.Over over = undoing.over().get(id);
        ActivationId done = id.opposite();
        boolean harmless = switch (answer) {
            case TaskAnswer.Failed _, TaskAnswer.TimedOut _, TaskAnswer.Lost _, TaskAnswer.Returned _ -> true;
            case TaskAnswer.Ok _, TaskAnswer.Skipped _ ->
                over != null && over.answer().matches(answer);
        };
        boolean givenUp = over == null && undoing.known().get(done) != null && !undoing.isDue(done);
        // A run that has ended doesn't know any more what it had given up.
        boolean ended = deciding.state().status().isFinal() && deciding.state().activation(done) != null;
        if (over == null && !givenUp && !(ended && harmless)) {
            return Optional.of(new Decision.Rejected(RejectionCode.NOT_FOUND, done + " is not being undone"));
        }
        return harmless
                ? Optional.empty()
                : Optional.of(new Decision.Rejected(
                        RejectionCode.CONFLICT, "what undoes " + done + " is over, with another answer"));
    }
}
