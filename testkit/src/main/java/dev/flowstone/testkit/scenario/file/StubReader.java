package dev.flowstone.testkit.scenario.file;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
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
import java.util.stream.Stream;

/** Reads one stub: an answer, or a list of them by attempt; either may be {@code transaction: …}. */
final class StubReader {
    /** What makes a stub one of a task that changes the subject. */
    static final String TRANSACTION = "transaction";

    private static final List<String> OF_FAILURES = List.of("code", "message", "details", "retryAfter");
    private static final List<String> FAILURE = with(List.of("fail"), OF_FAILURES);
    private static final List<String> CLASSES =
            Arrays.stream(FailureClass.values()).map(StubReader::word).toList();

    private static final StubReader PLAIN = new StubReader(false, List.of("output", "fail", "skip", "throw", "hold"));
    private static final StubReader TRANSACTIONAL =
            new StubReader(true, List.of("output", "fail", "skip", "throw", "stale"));

    private final boolean transactional;
    private final List<String> replies;
    private final List<String> keys;

    private StubReader(boolean transactional, List<String> replies) {
        this.transactional = transactional;
        this.replies = replies;
        List<String> others = with(List.of("after", "links"), OF_FAILURES);
        this.keys = with(with(replies, others), transactional ? WorkReader.KEYS : List.of());
    }

    private static List<String> with(List<String> some, List<String> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    static Optional<Stub> read(Cursor value) {
        if (!isTransactional(value.value())) {
            return PLAIN.stub(value);
        }
        return value.members(List.of(TRANSACTION)).find(TRANSACTION).flatMap(TRANSACTIONAL::stub);
    }

    static boolean isTransactional(JsonValue stub) {
        return stub instanceof JsonObject object && object.get(TRANSACTION) != null;
    }

    private Optional<Stub> stub(Cursor value) {
        List<Answer> answers = new ArrayList<>();
        if (value.value() instanceof JsonArray) {
            value.items().forEach(item -> answer(item).ifPresent(answers::add));
            if (value.items().isEmpty()) {
                value.fault("a stub has at least one answer");
            }
        } else {
            answer(value).ifPresent(answers::add);
        }
        return answers.isEmpty() ? Optional.empty() : Optional.of(new Stub(answers, transactional));
    }

    private Optional<Answer> answer(Cursor value) {
        if (isOfTheOtherKind(value)) {
            return Optional.empty();
        }
        Members members = value.members(keys);
        Duration after = members.find("after").flatMap(Cursor::duration).orElse(Duration.ZERO);
        List<String> found =
                replies.stream().filter(name -> members.find(name).isPresent()).toList();
        if (found.size() != 1) {
            if (value.value() instanceof JsonObject) {
                value.fault("an answer has one of " + String.join(", ", replies)
                        + (found.isEmpty() ? "" : ", not " + String.join(" and ", found)));
            }
            return Optional.empty();
        }
        belongs("fail", OF_FAILURES, members);
        belongs("output", List.of("links"), members);
        Stub.Work work = transactional ? WorkReader.read(members) : Stub.Work.NOTHING;
        return reply(found.getFirst(), members).map(reply -> new Answer(after, reply, work));
    }

    /** What only the other kind of task can do is told with a remedy, and not as a key that nobody knows. */
    private boolean isOfTheOtherKind(Cursor value) {
        if (!(value.value() instanceof JsonObject object)) {
            return false;
        }
        if (transactional && object.get("hold") != null) {
            value.fault("nobody outside answers for a task in a transaction; 'after' makes it take its time");
            return true;
        }
        List<String> others = transactional ? List.of() : with(List.of(TRANSACTION, "stale"), WorkReader.KEYS);
        Optional<String> other =
                others.stream().filter(name -> object.get(name) != null).findFirst();
        other.ifPresent(name -> value.fault(
                name.equals(TRANSACTION)
                        ? "all answers of a stub are in its transaction: {transaction: [{…}, {…}]}"
                        : "only a task in a transaction has '" + name + "': {transaction: {" + name + ": …}}"));
        return other.isPresent();
    }

    private static void belongs(String reply, List<String> names, Members members) {
        if (members.find(reply).isEmpty()) {
            names.forEach(name -> members.find(name)
                    .ifPresent(it -> it.fault("'" + name + "' belongs to an answer with '" + reply + "'")));
        }
    }

    private static Optional<Reply> reply(String kind, Members members) {
        Cursor value = members.find(kind).orElseThrow();
        return switch (kind) {
            case "output" -> Optional.of(new Reply.Result(new TaskResult.Ok(value.value(), links(members))));
            case "skip" -> value.text().map(reason -> new Reply.Result(new TaskResult.Skipped(reason)));
            case "throw" -> value.text().map(Reply.Throw::new);
            case "hold" -> value.flag().map(_ -> new Reply.Hold());
            case "stale" -> object(value).map(Reply.Stale::new);
            default -> value.word(CLASSES).map(word -> new Reply.Result(failed(word, members)));
        };
    }

    private static List<TaskResult.Link> links(Members members) {
        List<TaskResult.Link> links = new ArrayList<>();
        members.find("links")
                .ifPresent(list -> list.items().forEach(item -> {
                    Members at = item.members(List.of("type", "key", "content"));
                    Optional<String> type = at.need("type").flatMap(Cursor::text);
                    Optional<String> key = at.need("key").flatMap(Cursor::text);
                    JsonValue content = at.find("content").map(Cursor::value).orElse(JsonObject.EMPTY);
                    if (type.isPresent() && key.isPresent()) {
                        links.add(new TaskResult.Link(type.get(), key.get(), content));
                    }
                }));
        return links;
    }

    /** Of {@code {fail: CLASS, code: …}}. */
    static Optional<TaskResult> failure(Cursor value) {
        Members members = value.members(FAILURE);
        return members.need("fail").flatMap(it -> it.word(CLASSES)).map(word -> failed(word, members));
    }

    private static TaskResult failed(String word, Members members) {
        TaskError error = new TaskError(
                members.find("code").flatMap(Cursor::text).orElse("STUBBED"),
                members.find("message").flatMap(Cursor::text).orElse("fails, as the scenario says"),
                members.find("details").flatMap(StubReader::object).orElse(JsonObject.EMPTY));
        return new TaskResult.Failed(
                FailureClass.valueOf(word.toUpperCase(Locale.ROOT)),
                error,
                members.find("retryAfter").flatMap(Cursor::duration));
    }

    static Optional<JsonObject> object(Cursor value) {
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
