package dev.flowstone.server.api;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.read.OpenTask;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadCodec;
import dev.flowstone.server.execution.Payloads;
import java.util.List;
import java.util.Optional;

/** Human tasks as REST shows them. */
final class TaskJson {
    private TaskJson() {}

    /** What people are shown. */
    static Payload request(OpenTask open) {
        return PayloadCodec.read(JsonCursor.of(open.task().content()).member("request"));
    }

    static JsonObject of(OpenTask open, Payloads values) {
        HumanTaskRow task = open.task();
        List<JsonValue> assignees =
                task.assignees().stream().<JsonValue>map(JsonString::new).toList();
        return JsonObject.builder()
                .put("executionId", open.run().run().toString())
                .put("workflowId", open.workflow().value())
                .put("activation", task.activation().toString())
                .put("nodeId", task.activation().node().value())
                .put("visit", task.activation().visit())
                .put("openedAt", task.openedAt().toString())
                .put("dueAt", text(task.dueAt().map(Object::toString)))
                .put("assignees", new JsonArray(assignees))
                .put("later", member(task, "later", new JsonArray(List.of())))
                .put("claimedBy", text(task.claimedBy()))
                .put("claimedUntil", member(task, "claimedUntil", JsonNull.NULL))
                .put("request", values.value(request(open)))
                .put("outcomes", member(task, "outcomes", new JsonArray(List.of())))
                .put("decisions", member(task, "decisions", new JsonArray(List.of())))
                .put("timers", member(task, "timers", new JsonArray(List.of())))
                .build();
    }

    private static JsonValue member(HumanTaskRow task, String name, JsonValue otherwise) {
        return task.content().find(name).orElse(otherwise);
    }

    private static JsonValue text(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }
}
