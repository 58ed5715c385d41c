package dev.flowstone.testkit.scenario.file;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.testkit.scenario.file.Stub.Answer;
import dev.flowstone.testkit.scenario.file.Stub.Reply;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads one stub: an answer, or a list of them by attempt. */
final class StubReader {
    private static final List<String> REPLIES = List.of("output", "fail", "skip", "throw", "hold");
    private static final List<String> OF_FAILURES = List.of("code", "message", "details", "retryAfter");
    private static final List<String> KEYS =
            List.of("after", "output", "fail", "skip", "throw", "hold", "code", "message", "details", "retryAfter");
    private static final List<String> CLASSES =
            Arrays.stream(FailureClass.values()).map(StubReader::word).toList();

    private StubReader() {}

    static Optional<Stub> read(Cursor value) {
        List<Answer> answers = new ArrayList<>();
        if (value.value() instanceof JsonArray) {
            value.items().forEach(item -> answer(item).ifPresent(answers::add));
            if (value.items().isEmpty()) {
                value.fault("a stub has at least one answer");
            }
        } else {
            answer(value).ifPresent(answers::add);
        }
        return answers.isEmpty() ? Optional.empty() : Optional.of(new Stub(answers));
    }

    private static Optional<Answer> answer(Cursor value) {
        Members members = value.members(KEYS);
        Duration after = members.find("after").flatMap(Cursor::duration).orElse(Duration.ZERO);
        List<String> replies =
                REPLIES.stream().filter(name -> members.find(name).isPresent()).toList();
        if (replies.size() != 1) {
            if (value.value() instanceof JsonObject) {
                value.fault("an answer has one of " + String.join(", ", REPLIES)
                        + (replies.isEmpty() ? "" : ", not " + String.join(" and ", replies)));
            }
            return Optional.empty();
        }
        if (!replies.getFirst().equals("fail")) {
            OF_FAILURES.forEach(name ->
                    members.find(name).ifPresent(it -> it.fault("'" + name + "' belongs to an answer with 'fail'")));
        }
        return reply(replies.getFirst(), members).map(reply -> new Answer(after, reply));
    }

    private static Optional<Reply> reply(String kind, Members members) {
        Cursor value = members.find(kind).orElseThrow();
        return switch (kind) {
            case "output" -> Optional.of(new Reply.Result(TaskResult.ok(value.value())));
            case "skip" -> value.text().map(reason -> new Reply.Result(new TaskResult.Skipped(reason)));
            case "throw" -> value.text().map(Reply.Throw::new);
            case "hold" -> value.flag().map(_ -> new Reply.Hold());
            default -> value.word(CLASSES).map(word -> failure(word, members));
        };
    }

    private static Reply failure(String word, Members members) {
        TaskError error = new TaskError(
                members.find("code").flatMap(Cursor::text).orElse("STUBBED"),
                members.find("message").flatMap(Cursor::text).orElse("fails, as the scenario says"),
                members.find("details").flatMap(StubReader::object).orElse(JsonObject.EMPTY));
        return new Reply.Result(new TaskResult.Failed(
                FailureClass.valueOf(word.toUpperCase(Locale.ROOT)),
                error,
                members.find("retryAfter").flatMap(Cursor::duration)));
    }

    private static Optional<JsonObject> object(Cursor value) {
        if (value.value() instanceof JsonObject object) {
            return Optional.of(object);
        }
        value.expected("an object");
        return Optional.empty();
    }

    private static String word(FailureClass failure) {
        return failure.name().toLowerCase(Locale.ROOT);
    }
}
