package dev.flowstone.testkit.scenario.check;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.read.Progress;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.List;
import java.util.Optional;

/** {@code progress}: how far the run has come by its milestones; what isn't said doesn't count, a list is whole. */
record ProgressCheck(JsonValue expected) implements Check {
    private static final List<String> KEYS = List.of("percent", "reached", "effort", "rework");

    ProgressCheck {
        requireNonNull(expected);
    }

    static Optional<Check> read(Cursor value) {
        value.members(KEYS).find("reached").ifPresent(Cursor::items);
        return Optional.of(new ProgressCheck(value.value()));
    }

    @Override
    public List<String> differences(Observed run) {
        return JsonDiff.subset(
                expected,
                run.state()
                        .map(state -> told(Progress.of(state.program(), state)))
                        .orElse(JsonObject.EMPTY));
    }

    private static JsonObject told(Progress progress) {
        List<JsonValue> reached = progress.milestones().stream()
                .filter(Progress.Milestone::reached)
                .<JsonValue>map(it -> new JsonString(it.name()))
                .toList();
        return JsonObject.builder()
                .put("percent", progress.percent())
                .put("reached", new JsonArray(reached))
                .put("effort", progress.effort())
                .put("rework", progress.rework())
                .build();
    }
}
