package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.List;
import java.util.Optional;

/** {@code output}, the whole of it, or {@code outputContains}, a part. */
record OutputCheck(JsonValue expected, boolean whole) implements Check {
    static Optional<Check> exact(Cursor value) {
        return Optional.of(new OutputCheck(value.value(), true));
    }

    static Optional<Check> subset(Cursor value) {
        return Optional.of(new OutputCheck(value.value(), false));
    }

    @Override
    public List<String> differences(Observed run) {
        Optional<JsonValue> output = run.output();
        if (output.isEmpty()) {
            return List.of("there is no output; the run is " + run.status() + ErrorCheck.reason(run));
        }
        return whole ? JsonDiff.exact(expected, output.get()) : JsonDiff.subset(expected, output.get());
    }
}
