package dev.flowstone.server.api;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.read.Progress;
import dev.flowstone.kernel.state.RunState;
import java.util.List;

/** How far a run has come, as REST shows it (enterprise.md §7.1). */
final class ProgressJson {
    private ProgressJson() {}

    static JsonObject of(RunState state) {
        Progress progress = Progress.of(state.program(), state);
        List<JsonValue> milestones = progress.milestones().stream()
                .<JsonValue>map(milestone -> JsonObject.builder()
                        .put("nodeId", milestone.node().value())
                        .put("name", milestone.name())
                        .put("weight", JsonNumber.of(milestone.weight()))
                        .put("reached", JsonBoolean.of(milestone.reached()))
                        .build())
                .toList();
        return JsonObject.builder()
                .put("percent", progress.percent())
                .put("effort", progress.effort())
                .put("rework", progress.rework())
                .put("milestones", new JsonArray(milestones))
                .build();
    }
}
