package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.OneWayAction.Posting;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/**
 * What a one-way attempt sends, and how it ends.
 *
 * @param sequence of the event that scheduled it
 * @param bytes of the message's content; 0 if there is none
 */
public record Post(OneWayCall call, long sequence, Posting posting, int bytes) {
    /** Bytes of a content; a larger one is refused. */
    public static final int MOST_BYTES = 256 << 10;

    /** Of the messages that one event causes: it is the only one. */
    private static final int ORDINAL = 0;

    public Post {
        requireNonNull(call);
        requireNonNull(posting);
    }

    /** By that action; one that throws has no use for the input. */
    public static Post of(OneWayAction action, OneWayCall call, long sequence) {
        try {
            Posting posting = requireNonNull(action.post(call), "the action answered null");
            int bytes = posting instanceof Posting.Message message ? CanonicalJson.exact(message.content()).length : 0;
            return bytes <= MOST_BYTES
                    ? new Post(call, sequence, posting, bytes)
                    : invalid(
                            call,
                            sequence,
                            "MESSAGE_TOO_LARGE",
                            "the message has " + bytes + " bytes, and " + MOST_BYTES
                                    + " are the most; say in it where the rest is to be found");
        } catch (RuntimeException | StackOverflowError e) {
            return invalid(call, sequence, "ACTION_THREW", "the action can't use its input: " + e);
        }
    }

    /** Nothing is sent, because of what is wrong with the whole input. */
    public static Post invalid(OneWayCall call, long sequence, String code, String message) {
        return new Post(call, sequence, new Posting.Invalid(code, "", message), 0);
    }

    /** Names the message that an event of a run causes. */
    static OutboxKey key(RunKey run, long sequence) {
        return new OutboxKey(run, sequence, ORDINAL);
    }

    /** How an attempt ends whose message is durable. */
    static TaskResult sent(OutboxKey key) {
        return TaskResult.ok(JsonObject.builder().put("message", key.text()).build());
    }

    /** How an attempt ends that must not be made. */
    static TaskResult refused(String code, String message) {
        return new TaskResult.Failed(FailureClass.POLICY_DENIED, TaskError.of(code, message), Optional.empty());
    }

    /** To be committed with the event; empty if nothing is sent. */
    public Optional<OutboxMessage> message() {
        return posting instanceof Posting.Message(String destination, JsonObject content)
                ? Optional.of(new OutboxMessage(sequence, ORDINAL, destination, content))
                : Optional.empty();
    }

    /** How the attempt ends, once that is durable. */
    public TaskResult result() {
        return switch (posting) {
            case Posting.Message _ -> sent(key(call.run(), sequence));
            case Posting.Invalid(String code, String path, String message) ->
                new TaskResult.Failed(
                        FailureClass.PERMANENT,
                        new TaskError(
                                code,
                                message,
                                JsonObject.builder().put("path", path).build()),
                        Optional.empty());
            case Posting.Refused(String code, String message) -> refused(code, message);
        };
    }
}
