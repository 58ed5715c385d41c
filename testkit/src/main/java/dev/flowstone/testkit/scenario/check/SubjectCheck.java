package dev.flowstone.testkit.scenario.check;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.scenario.check.ObservedSubject.Attempt;
import dev.flowstone.testkit.scenario.check.ObservedSubject.Change;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code subject}: what the run is about, as it stands in the database, and what the run knows of it. What isn't said doesn't
 * count; {@code values} are all of them, {@code changes} these and no others.
 *
 * @param rest what is compared as a part
 */
record SubjectCheck(Optional<JsonValue> values, JsonObject rest) implements Check {
    private static final String VALUES = "values";
    private static final List<String> KEYS = List.of("version", "known", VALUES, "contains", "changes");
    private static final List<String> OF_CHANGES = List.of("by", "attempt", "version", "sets", "told");
    private static final String OUTSIDE = "outside";

    SubjectCheck {
        requireNonNull(values);
        requireNonNull(rest);
    }

    static Optional<Check> read(Cursor value) {
        Members members = value.members(KEYS);
        JsonObject.Builder rest = JsonObject.builder();
        for (String key : List.of("version", "known")) {
            members.find(key).flatMap(Cursor::whole).ifPresent(it -> rest.put(key, it));
        }
        members.find("contains").ifPresent(it -> rest.put("contains", it.value()));
        members.find("changes").map(SubjectCheck::changes).ifPresent(it -> rest.put("changes", it));
        return Optional.of(new SubjectCheck(members.find(VALUES).map(Cursor::value), rest.build()));
    }

    /** A text is short for who made the change. */
    private static JsonArray changes(Cursor list) {
        List<JsonValue> changes = new ArrayList<>();
        for (Cursor item : list.items()) {
            if (item.value() instanceof JsonString by) {
                changes.add(JsonObject.builder().put("by", by).build());
            } else {
                item.members(OF_CHANGES);
                changes.add(item.value());
            }
        }
        return new JsonArray(changes);
    }

    @Override
    public List<String> differences(Observed run) {
        Optional<ObservedSubject> subject = run.surroundings().subject();
        if (subject.isEmpty()) {
            return List.of("the scenario's run is about nothing; say what it is about in given.subject");
        }
        List<String> lines = new ArrayList<>(JsonDiff.subset(rest, told(run, subject.get())));
        values.ifPresent(expected ->
                JsonDiff.exact(expected, subject.get().values()).forEach(line -> lines.add("/" + VALUES + line)));
        return lines;
    }

    private static JsonObject told(Observed run, ObservedSubject subject) {
        List<JsonValue> changes = new ArrayList<>();
        for (Change change : subject.changes()) {
            change.version().ifPresent(version -> changes.add(told(run, change, version)));
        }
        return JsonObject.builder()
                .put("version", subject.version())
                .putValueIfPresent(
                        "known", run.state().flatMap(RunState::subjectVersion).map(JsonNumber::of))
                .put("contains", subject.values())
                .put("changes", new JsonArray(changes))
                .build();
    }

    private static JsonObject told(Observed run, Change change, long version) {
        JsonObject.Builder out = JsonObject.builder()
                .put("by", change.by().map(it -> it.activation().node().value()).orElse(OUTSIDE))
                .put("version", version)
                .put("sets", change.sets())
                .put("told", Together.isTold(run, change));
        change.by().map(Attempt::attempt).ifPresent(it -> out.put("attempt", it));
        return out.build();
    }
}
