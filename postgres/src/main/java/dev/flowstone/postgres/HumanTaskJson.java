package dev.flowstone.postgres;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.postgres.CommitRows.Of;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A commit's human tasks in one parameter: people are slow, so these rows are few, and most commits have none.
 *
 * <pre>
 * {"open": [{"move", "tenant", "run_id", "slot", "workflow", "activation", "opened_at", "assignees", …}],
 *  "gone": [{"move", "tenant", "run_id", "activation"}]}
 * </pre>
 */
final class HumanTaskJson {
    private HumanTaskJson() {}

    /** Null if there are none. */
    static @Nullable String of(CommitRows rows) {
        if (rows.tasksOpen().isEmpty() && rows.tasksGone().isEmpty()) {
            return null;
        }
        List<JsonValue> open = new ArrayList<>();
        for (Of<HumanTaskRow> row : rows.tasksOpen()) {
            open.add(open(row));
        }
        List<JsonValue> gone = new ArrayList<>();
        for (Of<ActivationId> row : rows.tasksGone()) {
            gone.add(owner(row, row.value()).build());
        }
        return CanonicalJson.exactText(JsonObject.builder()
                .put("open", new JsonArray(open))
                .put("gone", new JsonArray(gone))
                .build());
    }

    private static JsonObject open(Of<HumanTaskRow> row) {
        HumanTaskRow task = row.value();
        List<JsonValue> assignees = new ArrayList<>();
        task.assignees().forEach(assignee -> assignees.add(new JsonString(assignee)));
        return owner(row, task.activation())
                .put("slot", row.move().key().run().slot().number())
                .put("workflow", row.move().workflow().value())
                .put("opened_at", task.openedAt().toString())
                .put("assignees", new JsonArray(assignees))
                .putIfPresent("claimed_by", task.claimedBy())
                .putIfPresent("due_at", task.dueAt().map(Object::toString))
                .put("content", CanonicalJson.exactText(task.content()))
                .build();
    }

    private static JsonObject.Builder owner(Of<?> row, ActivationId activation) {
        return JsonObject.builder()
                .put("move", row.number())
                .put("tenant", row.move().key().tenant().value())
                .put("run_id", row.move().key().run().toString())
                .put("activation", activation.toString());
    }
}
