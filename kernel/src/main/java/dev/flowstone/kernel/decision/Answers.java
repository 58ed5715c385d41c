package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import java.util.Optional;

/** Cuts what handlers say to what an event may hold: whatever a handler answers, the run goes on. */
final class Answers {
    /** Characters of an error's message, or of a reason. */
    static final int MESSAGE = 4_000;

    /** Characters of an error's code. */
    static final int CODE = 100;

    /** Of an error in an expression (see ExpressionError). */
    static final int EXPRESSION = 500;

    /** Bytes of an event beside its one large value. */
    private static final int REST = 1_024;

    private Answers() {}

    /** The answer with its texts cut; a result that is too large is found out when it is recorded. */
    static TaskAnswer bounded(TaskAnswer answer, Bounds bounds) {
        return switch (answer) {
            case TaskAnswer.Failed failed ->
                new TaskAnswer.Failed(failed.failure(), bounded(failed.error(), bounds), failed.retryAfter());
            case TaskAnswer.Skipped skipped -> new TaskAnswer.Skipped(text(skipped.reason(), MESSAGE));
            case TaskAnswer.Ok _, TaskAnswer.TimedOut _, TaskAnswer.Lost _, TaskAnswer.Returned _ -> answer;
        };
    }

    static TaskError bounded(TaskError error, Bounds bounds) {
        int limit = Math.min(bounds.inlineBytes(), bounds.eventBytes() / 2);
        int bytes = size(error.details());
        JsonObject details = bytes <= limit
                ? error.details()
                : JsonObject.builder().put("omittedBytes", bytes).build();
        String code = error.code().isEmpty() ? "UNKNOWN" : text(error.code(), CODE);
        return new TaskError(code, text(error.message(), MESSAGE), details);
    }

    /** What a result becomes that is longer than an event may be. */
    static TaskAnswer.Failed tooLarge(Payload output, Bounds bounds) {
        int bytes = output instanceof Payload.Inline inline ? size(inline.value()) : 0;
        TaskError error = TaskError.of(
                "RESULT_TOO_LARGE", "the result has " + bytes + " bytes, an event holds " + bounds.eventBytes());
        return new TaskAnswer.Failed(FailureClass.PERMANENT, error, Optional.empty());
    }

    /** Whether an event may hold this result: its bytes and some more for the rest of the event. */
    static boolean recordable(Payload output, Bounds bounds) {
        return !(output instanceof Payload.Inline inline) || size(inline.value()) <= bounds.eventBytes() - REST;
    }

    /** Bytes of the canonical form. */
    static int size(JsonValue value) {
        return CanonicalJson.exact(value).length;
    }

    /** At most so many characters, lone surrogates replaced; a cut shows as an ellipsis. */
    static String text(String text, int max) {
        int end = Math.min(text.length(), max);
        boolean plain = true;
        for (int i = 0; i < end && plain; i++) {
            plain = !Character.isSurrogate(text.charAt(i));
        }
        if (plain) {
            return end == text.length() ? text : text.substring(0, end - 1) + "…";
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            int kept = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xFFFD : point;
            if (out.length() + 3 > max && i < text.length()) {
                return out.append('…').toString();
            }
            out.appendCodePoint(kept);
        }
        return out.toString();
    }
}
