package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.charset.StandardCharsets;

/**
 * Where a run begins that doesn't begin at the beginning.
 *
 * @param state of the other run after that event, as a snapshot has it
 * @param bytes how long the state is
 */
public record ResetPoint(RunId from, long sequence, JsonObject state, long bytes) {
    public ResetPoint {
        requireNonNull(from);
        requireNonNull(state);
    }

    /** Scope of the receipts of resets of one run. */
    String scope() {
        return "reset:" + from;
    }

    /** What another request under the same key would ask differently. */
    Sha256 digest() {
        return Sha256.digest(("reset " + from + " " + sequence).getBytes(StandardCharsets.UTF_8));
    }
}
