package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import java.util.List;
import java.util.Optional;

/** How an attempt ended, as the run is told, with the payloads that must be stored beside it. */
public record TaskOutcome(TaskAnswer answer, List<StoredPayload> payloads) {
    public TaskOutcome {
        requireNonNull(answer);
        payloads = List.copyOf(payloads);
    }

    public static TaskOutcome of(TaskAnswer answer) {
        return new TaskOutcome(answer, List.of());
    }

    public static TaskOutcome failed(FailureClass failure, String code, String message) {
        return of(new TaskAnswer.Failed(failure, TaskError.of(code, message), Optional.empty()));
    }
}
