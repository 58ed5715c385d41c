package dev.flowstone.bench.workload;

import static dev.flowstone.bench.workload.ShortWorkloads.SIZES;
import static dev.flowstone.bench.workload.ShortWorkloads.number;
import static dev.flowstone.bench.workload.ShortWorkloads.options;
import static dev.flowstone.bench.workload.ShortWorkloads.seconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same of those that fill a database, or compare two: in a class of its own, so that they run beside the others. */
final class LargeWorkloadsTest {
    @TempDir
    static Path data = Path.of("");

    private static ShortWorkloads workloads;

    @BeforeAll
    static void startServer() throws Exception {
        workloads = ShortWorkloads.in(data);
    }

    @AfterAll
    static void stopServer() {
        workloads.close();
    }

    @Test
    void fillsADatabaseWithCopiesWhoseChainsStand() throws Exception {
        JsonObject json = workloads.run("full", options());

        int copies = SIZES.finished() + SIZES.waiting();
        assertTrue(number(json, "verified_runs") > copies, json::toString);
        assertTrue(number(json, "steps_per_s") > 0, json::toString);
        assertTrue(number(json, "empty_steps_per_s") > 0, json::toString);
        assertTrue(number(json, "ready_ms") > 0, json::toString);
        assertTrue(JsonCursor.of(json).member("lists").items().size() > 10, json::toString);
    }

    @Test
    void seesDeadRowsGrowWhileASnapshotIsHeldOpen() throws Exception {
        JsonObject json = workloads.run("snapshot", seconds(2).withInflight(20));

        assertTrue(number(json, "steps_per_s") > 0, json::toString);
        assertTrue(number(json, "beside_steps_per_s") > 0, json::toString);
        assertTrue(number(json, "before_steps_per_s") > 0, json::toString);
        assertTrue(number(json, "after_steps_per_s") > 0, json::toString);
        assertTrue(number(json, "dead_rows") > number(json, "dead_rows_before"), json::toString);
        // Each step changes its run's row once: nothing of that may have gone meanwhile.
        assertTrue(
                JsonCursor.of(json).member("dead_rows_by_table").longValue("runs")
                        > number(json, "steps_per_s") * number(json, "seconds") / 2,
                json::toString);
        assertTrue(number(json, "oldest_snapshot_s") > 8, json::toString);
        assertEquals(0, number(json, "runs_failed"), json.toString());
    }

    @Test
    void measuresWhatMustNotGrow() throws Exception {
        List<JsonCursor> parts =
                JsonCursor.of(workloads.run("flat", options())).member("parts").items();

        JsonCursor longest = parts.get(0).member("marks").items().getLast();
        assertTrue(longest.longValue("events") >= SIZES.events(), longest::toString);
        // Each step is one decision in one commit, also late, and writes at least its three events.
        assertTrue(number(longest.member("step").object(), "journal_calls") >= 1, longest::toString);
        assertTrue(number(longest.member("step").object(), "wal_bytes") > 500, longest::toString);
        assertTrue(number(longest.object(), "first_decision_ms") > 0, longest::toString);
        assertTrue(longest.longValue("snapshot_bytes") > 0, longest::toString);
        assertTrue(longest.longValue("tail_entries") < longest.longValue("events") / 3, longest::toString);
        List<JsonCursor> waiting = parts.get(1).member("marks").items();
        assertEquals(0, waiting.getFirst().longValue("waiting_runs"));
        assertEquals(SIZES.waiting(), waiting.getLast().longValue("waiting_runs"));
        assertTrue(number(waiting.getLast().object(), "steps_per_s") > 0, waiting::toString);
        assertTrue(number(waiting.getLast().object(), "empty_steps_per_s") > 0, waiting::toString);
        assertTrue(parts.get(1).longValue("verified_runs") > SIZES.waiting(), waiting::toString);
        List<JsonCursor> wide = parts.get(2).member("marks").items();
        JsonCursor widest = wide.getLast();
        assertEquals(SIZES.elements(), widest.longValue("width"));
        assertTrue(number(widest.member("element").object(), "wal_bytes") > 100, widest::toString);
        // A run of so few elements may be over before the foreground has one that ends.
        long meanwhile = 0;
        for (JsonCursor mark : wide) {
            meanwhile += mark.member("foreground_during_ms").longValue("count");
        }
        assertTrue(meanwhile > 0, wide::toString);
    }
}
