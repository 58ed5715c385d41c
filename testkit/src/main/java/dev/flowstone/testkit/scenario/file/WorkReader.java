package dev.flowstone.testkit.scenario.file;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.testkit.scenario.file.Stub.Break;
import dev.flowstone.testkit.scenario.file.Stub.Rule;
import dev.flowstone.testkit.scenario.file.Stub.Work;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what an answer in a transaction does with its run's subject. */
final class WorkReader {
    /** What only an answer in a transaction has. */
    static final List<String> KEYS = List.of("sets", "keepsVersion", "requires", "otherwise", "unknown", "unknownFor");

    private static final String DONE = "done";

    /** Each of these means nothing without that. */
    private static final Map<String, String> NEED = Map.of(
            "keepsVersion", "output",
            "requires", "output",
            "otherwise", "requires",
            "unknown", "output",
            "unknownFor", "unknown");

    private WorkReader() {}

    static Work read(Members at) {
        NEED.forEach((key, needed) -> at.find(key)
                .filter(_ -> at.find(needed).isEmpty())
                .ifPresent(it -> it.fault("'" + key + "' belongs to an answer with '" + needed + "'")));
        boolean keeps = at.find("keepsVersion").flatMap(Cursor::flag).orElse(false);
        Optional<Cursor> sets = at.find("sets");
        if (keeps) {
            sets.ifPresent(it -> it.fault("what is changed has a new version; leave out 'sets', or 'keepsVersion'"));
        }
        at.find("stale").flatMap(_ -> sets).ifPresent(it -> it.fault("an answer with 'stale' changes nothing itself"));
        return new Work(
                sets.flatMap(StubReader::object).orElse(JsonObject.EMPTY),
                keeps,
                at.find("requires").flatMap(StubReader::object).map(it -> rule(it, at)),
                at.find("unknown")
                        .flatMap(it -> it.word(List.of(DONE, "undone")))
                        .map(it -> broken(it, at)));
    }

    private static Rule rule(JsonObject fields, Members at) {
        TaskResult otherwise = at.find("otherwise")
                .flatMap(StubReader::failure)
                .orElseGet(() -> new TaskResult.Failed(
                        FailureClass.PERMANENT,
                        TaskError.of("REFUSED", "the subject is not as the scenario requires"),
                        Optional.empty()));
        return new Rule(fields, otherwise);
    }

    private static Break broken(String word, Members at) {
        return new Break(
                word.equals(DONE),
                at.find("unknownFor").flatMap(Cursor::duration).orElse(Duration.ZERO));
    }
}
