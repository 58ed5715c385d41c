package dev.flowstone.postgres;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.postgres.CommitRows.Numbered;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The programs that a commit's runs change to, in one parameter: hardly any commit has some.
 *
 * <pre>[{"move", "tenant", "run_id", "version", "program"}]</pre>
 */
final class NewPrograms {
    private NewPrograms() {}

    /** Null if there are none. */
    static @Nullable String of(CommitRows rows) {
        List<JsonValue> changed = new ArrayList<>(0);
        for (Numbered row : rows.updates()) {
            if (row.move().newProgram()) {
                changed.add(JsonObject.builder()
                        .put("move", row.number())
                        .put("tenant", row.move().key().tenant().value())
                        .put("run_id", row.move().key().run().toString())
                        .put("version", row.move().version())
                        .put("program", row.move().program().toString())
                        .build());
            }
        }
        return changed.isEmpty() ? null : CanonicalJson.exactText(new JsonArray(changed));
    }
}
