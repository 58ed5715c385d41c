package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.decision.Migration;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.execution.States;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What moving an execution would do, and why it can't be done; as of the row's last event. */
record MigrationOutlook(RunRow row, int toVersion, boolean alreadyThere, Migration.Preview preview) {
    private static final int SHOWN = 1_000;

    MigrationOutlook {
        requireNonNull(row);
        requireNonNull(preview);
    }

    static MigrationOutlook of(RunRow row, States states, MigrationTarget target) throws JournalException {
        if (row.status().isFinal()) {
            List<String> over = List.of("the run is over: " + row.status());
            return new MigrationOutlook(row, target.version(), false, new Migration.Preview(Map.of(), List.of(), over));
        }
        if (row.program().equals(target.hash())) {
            return new MigrationOutlook(
                    row, target.version(), true, new Migration.Preview(Map.of(), List.of(), List.of()));
        }
        return new MigrationOutlook(
                row, target.version(), false, Migration.preview(states.of(row), target.program(), target.nodes()));
    }

    boolean isPossible() {
        return preview.isPossible();
    }

    List<String> obstacles() {
        return preview.obstacles();
    }

    JsonObject toJson() {
        List<JsonValue> moves = new TreeMap<>(preview.moves())
                .entrySet().stream()
                        .limit(SHOWN)
                        .<JsonValue>map(MigrationOutlook::move)
                        .toList();
        return JsonObject.builder()
                .put("executionId", row.key().run().toString())
                .put("fromVersion", row.version())
                .put("toVersion", toVersion)
                .put("alreadyThere", alreadyThere)
                .put("possible", isPossible())
                .put("moves", new JsonArray(moves))
                .put(
                        "forgotten",
                        texts(preview.forgotten().stream().map(Object::toString).toList()))
                .put("obstacles", texts(preview.obstacles()))
                .build();
    }

    private static JsonObject move(Map.Entry<ActivationId, ActivationId> move) {
        return JsonObject.builder()
                .put("from", move.getKey().toString())
                .put("to", move.getValue().toString())
                .build();
    }

    private static JsonArray texts(List<String> texts) {
        return new JsonArray(
                texts.stream().limit(SHOWN).<JsonValue>map(JsonString::new).toList());
    }
}
