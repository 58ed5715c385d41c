package dev.flowstone.testkit.scenario.file;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.List;
import java.util.Optional;

/**
 * What a scenario's run is about.
 *
 * @param binding as the run is started with it
 * @param values its own fields when the run starts
 */
public record GivenSubject(SubjectBinding binding, JsonObject values) {
    private static final List<String> KEYS = List.of("kind", "id", "version", "exclusive", "values");

    public GivenSubject {
        requireNonNull(binding);
        requireNonNull(values);
    }

    static Optional<GivenSubject> read(Cursor value) {
        Members at = value.members(KEYS);
        Optional<String> kind = at.need("kind").flatMap(Cursor::text);
        Optional<String> id = at.need("id").flatMap(Cursor::text);
        long version = at.find("version").flatMap(Cursor::count).orElse(0);
        boolean exclusive = at.find("exclusive").flatMap(Cursor::flag).orElse(true);
        JsonObject values = at.find("values").flatMap(StubReader::object).orElse(JsonObject.EMPTY);
        if (kind.isEmpty() || id.isEmpty()) {
            return Optional.empty();
        }
        try {
            Subject subject = new Subject(kind.get(), id.get());
            return Optional.of(new GivenSubject(new SubjectBinding(subject, version, exclusive), values));
        } catch (IllegalArgumentException e) {
            value.fault(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }
}
