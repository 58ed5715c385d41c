package dev.flowstone.postgres;

import dev.flowstone.engine.journal.WindowRow;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.read.EditWindow;
import dev.flowstone.postgres.CommitRows.Of;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A commit's edit windows in one parameter, as {@code flowstone.commit_windows} tells; most commits have none. */
final class WindowJson {
    private WindowJson() {}

    /** Null if there are none. */
    static @Nullable String of(CommitRows rows) {
        if (rows.windows().isEmpty()) {
            return null;
        }
        List<JsonValue> windows = new ArrayList<>(rows.windows().size());
        for (Of<WindowRow> row : rows.windows()) {
            windows.add(window(row));
        }
        return CanonicalJson.exactText(new JsonArray(windows));
    }

    private static JsonObject window(Of<WindowRow> row) {
        WindowRow window = row.value();
        JsonObject.Builder out = JsonObject.builder()
                .put("move", row.number())
                .put("tenant", row.move().key().tenant().value())
                .put("kind", window.subject().kind())
                .put("id", window.subject().id())
                .put("run_id", row.move().key().run().toString())
                .put("slot", row.move().key().run().slot().number())
                .put("first", window.first())
                .put("version", window.version())
                .put("exclusive", window.exclusive())
                .put("live", window.live());
        window.window().ifPresent(it -> out.put("mode", it.mode().name()));
        window.window().flatMap(EditWindow::fields).ifPresent(fields -> out.put("fields", array(fields)));
        return out.build();
    }

    private static JsonArray array(List<String> texts) {
        return new JsonArray(texts.stream().<JsonValue>map(JsonString::new).toList());
    }
}
