package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.trace.Mark;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.payload.Payload;
import java.util.List;
import java.util.Optional;

/**
 * How an attempt ended, as the run is told, with the payloads that must be stored beside it.
 *
 * @param recorded the message with which it is recorded durably, if it is (R17): then what stands there counts, and the
 *     answer only says that it is a success
 * @param mark where it comes from, for who follows it
 */
public record TaskOutcome(TaskAnswer answer, List<StoredPayload> payloads, Optional<InboxMessage> recorded, Mark mark) {
    public TaskOutcome(TaskAnswer answer, List<StoredPayload> payloads) {
        this(answer, payloads, Optional.empty(), Mark.NONE);
    }

    public TaskOutcome {
        requireNonNull(answer);
        payloads = List.copyOf(payloads);
        requireNonNull(recorded);
        requireNonNull(mark);
    }

    public static TaskOutcome of(TaskAnswer answer) {
        return new TaskOutcome(answer, List.of());
    }

    /** The same, from there. */
    TaskOutcome from(Mark place) {
        return place.equals(mark) ? this : new TaskOutcome(answer, payloads, recorded, place);
    }

    /** A success that is recorded. */
    static TaskOutcome recorded(InboxMessage message) {
        return new TaskOutcome(
                new TaskAnswer.Ok(Payload.of(JsonNull.NULL)), List.of(), Optional.of(message), Mark.NONE);
    }

    public static TaskOutcome failed(FailureClass failure, String code, String message) {
        return of(new TaskAnswer.Failed(failure, TaskError.of(code, message), Optional.empty()));
    }
}
