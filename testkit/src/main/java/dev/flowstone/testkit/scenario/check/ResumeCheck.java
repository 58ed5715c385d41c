package dev.flowstone.testkit.scenario.check;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.decision.Control;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** {@code ifResumed}: what a resume would set going, counted without resuming (R25); what isn't said doesn't count. */
record ResumeCheck(JsonValue expected) implements Check {
    private static final List<String> KEYS = List.of("inputs", "timers", "released");

    ResumeCheck {
        requireNonNull(expected);
    }

    static Optional<Check> read(Cursor value) {
        value.members(KEYS).find("inputs").ifPresent(Cursor::anyMembers);
        return Optional.of(new ResumeCheck(value.value()));
    }

    @Override
    public List<String> differences(Observed run) {
        return JsonDiff.subset(expected, run.state().map(ResumeCheck::preview).orElse(JsonObject.EMPTY));
    }

    private static JsonObject preview(RunState state) {
        Control.ResumePreview preview = Control.previewResume(state);
        JsonObject.Builder inputs = JsonObject.builder();
        new TreeMap<>(preview.inputs()).forEach(inputs::put);
        return JsonObject.builder()
                .put("inputs", inputs.build())
                .put("timers", preview.timers())
                .put("released", preview.released())
                .build();
    }
}
