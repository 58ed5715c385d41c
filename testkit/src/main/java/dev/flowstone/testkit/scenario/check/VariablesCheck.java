package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.List;
import java.util.Optional;

/** {@code variables}: the run's, all of them. */
record VariablesCheck(JsonValue expected) implements Check {
    static Optional<Check> read(Cursor value) {
        value.anyMembers();
        return Optional.of(new VariablesCheck(value.value()));
    }

    @Override
    public List<String> differences(Observed run) {
        JsonValue found = run.state().map(RunState::variables).orElse(JsonObject.EMPTY);
        return JsonDiff.exact(expected, found);
    }
}
