package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody.EffectObserved;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.event.EventBody.TaskHandedOut;
import dev.flowstone.kernel.event.EventBody.TaskReturned;
import dev.flowstone.kernel.event.EventBody.TaskScheduled;
import dev.flowstone.kernel.event.EventBody.TaskSkipped;
import dev.flowstone.kernel.event.EventBody.TaskTimedOut;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import java.util.Optional;

/** What attempts do to their activation (R11, R12). At most one attempt of an activation is open. */
final class TaskApplier {
    private TaskApplier() {}

    static void scheduled(Draft draft, TaskScheduled body) {
        if (body.activation().isUndoing()) {
            UndoingApplier.attempted(draft, body);
            return;
        }
        Activation activation = draft.activation(body.activation());
        if (activation == null) {
            return;
        }
        Activation attempted = activation.attempted(body.attempt(), body.input().orElse(null));
        Payload input = attempted.input() == null ? Payload.of(JsonNull.NULL) : attempted.input();
        if (body.input().isPresent()) {
            draft.weight += Weight.of(input) - Weight.of(activation.input());
        }
        Activations.put(draft, draft.topology.place(body.activation().node()), attempted);
        draft.attempts = draft.attempts.with(
                body.activation(),
                new Attempt(
                        body.activation(),
                        body.attempt(),
                        body.handler(),
                        input,
                        body.timeout(),
                        activation.key(),
                        false));
    }

    static void completed(Draft draft, TaskCompleted body) {
        draft.attempts = draft.attempts.without(body.activation());
        draft.waits++;
        Activation activation = draft.activation(body.activation());
        if (activation != null && activation.isLive()) {
            RecordedAnswer answer = RecordedAnswer.of(new TaskAnswer.Ok(body.output()));
            Activations.result(draft, activation, Outcome.SUCCESS, answer, body.output());
            UndoingApplier.done(draft, activation, body.output());
        }
    }

    static void skipped(Draft draft, TaskSkipped body) {
        Activation activation = draft.activation(body.activation());
        if (activation == null || !activation.isLive()) {
            close(draft, body.activation(), body.attempt());
        } else {
            draft.attempts = draft.attempts.without(body.activation());
            draft.waits++;
            RecordedAnswer answer = RecordedAnswer.of(new TaskAnswer.Skipped(body.reason()));
            Activations.result(draft, activation, Outcome.SKIPPED, answer, null);
        }
    }

    static void failed(Draft draft, TaskFailed body) {
        close(draft, body.activation(), body.attempt());
        if (body.settles()) {
            TaskAnswer answer = new TaskAnswer.Failed(body.failure(), body.error(), Optional.empty());
            Outcome outcome = body.failure() == FailureClass.POLICY_DENIED ? Outcome.DENIED : Outcome.FAILURE;
            settle(draft, body.activation(), outcome, answer, body.error());
        }
    }

    static void timedOut(Draft draft, TaskTimedOut body) {
        close(draft, body.activation(), body.attempt());
        if (body.settles()) {
            TaskError error = TaskError.of("TIMEOUT", "no answer within the timeout");
            settle(draft, body.activation(), Outcome.TIMEOUT, new TaskAnswer.TimedOut(), error);
        }
    }

    static void returned(Draft draft, TaskReturned body) {
        Attempt attempt = draft.attempts.get(body.activation());
        if (body.activation().isUndoing() && attempt != null) {
            draft.attempts = draft.attempts.with(body.activation(), attempt.returned(true));
            return;
        }
        Activation activation = draft.activation(body.activation());
        if (attempt == null || activation == null) {
            return;
        }
        // Nobody works on it, and if it was canceled nobody will again.
        draft.attempts = activation.isLive()
                ? draft.attempts.with(body.activation(), attempt.returned(true))
                : draft.attempts.without(body.activation());
    }

    static void handedOut(Draft draft, TaskHandedOut body) {
        Attempt attempt = draft.attempts.get(body.activation());
        if (attempt != null && attempt.attempt() == body.attempt()) {
            draft.attempts = draft.attempts.with(body.activation(), attempt.returned(false));
        }
    }

    static void observed(Draft draft, EffectObserved body) {
        close(draft, body.activation(), body.attempt());
        Activation activation = draft.activation(body.activation());
        if (activation != null) {
            RecordedAnswer effect = RecordedAnswer.of(new TaskAnswer.Ok(body.output()));
            Activations.put(
                    draft,
                    draft.topology.place(body.activation().node()),
                    activation.observed(effect, body.number() > 0));
            UndoingApplier.done(draft, activation, body.output());
        }
    }

    private static void settle(Draft draft, ActivationId id, Outcome outcome, TaskAnswer answer, TaskError error) {
        Activation activation = draft.activation(id);
        if (activation != null && activation.isLive()) {
            Payload result = Payload.of(failure(draft.topology.place(id.node()), error));
            Activations.result(draft, activation, outcome, RecordedAnswer.of(answer), result);
        }
    }

    /** What later nodes see of a failed one (dataflow.md §8). */
    static JsonObject failure(Place place, TaskError error) {
        return JsonObject.builder()
                .put(
                        "error",
                        JsonObject.builder()
                                .put("code", error.code())
                                .put("message", error.message())
                                .put("details", error.details())
                                .build())
                .put("errorNode", place.node().id().value())
                .build();
    }

    /** The attempt has answered; if it was one that waited, so has the run. */
    private static void close(Draft draft, ActivationId id, int number) {
        Attempt attempt = draft.attempts.get(id);
        if (attempt != null && attempt.attempt() == number) {
            UndoingApplier.closeAttempt(draft, id);
            draft.waits++;
        }
    }
}
