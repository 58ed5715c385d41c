package dev.flowstone.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.report.Report;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What they say must be what happened; how fast it was is nobody's business here. Those over REST are tested in the server. */
final class WorkloadsTest {
    private static final BenchSizes SIZES = BenchSizes.SHORT;

    @TempDir
    static Path data = Path.of("");

    private static EmbeddedPostgres server;

    private final Queue<String> progress = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void startServer() throws Exception {
        server = EmbeddedPostgres.start(EmbeddedConfig.in(data));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequence", "fan-out"})
    void tellsStepsThatAreStoredAndVerifiesThem(String name) throws Exception {
        JsonObject json = run(name, options().withInflight(20));

        assertTrue(number(json, "steps") > 0, json::toString);
        // What was done before the window, to warm up, isn't counted.
        assertTrue(number(json, "handler_calls") > number(json, "steps"), json::toString);
        assertEquals(20, number(json, "inflight"), json.toString());
        assertEquals(0, number(json, "runs_failed"), json.toString());
        assertTrue(number(json, "verified_events") > number(json, "steps"), json::toString);
        assertTrue(json.get("bare_decisions_per_s") instanceof JsonNumber, json::toString);
        assertTrue(json.get("run_over_bare_commits") instanceof JsonNumber, json::toString);
        // A step's own entry is in the log. Counters of rows lag behind what is done within so short a time.
        JsonObject server = JsonCursor.of(json).member("server_per_step").object();
        assertTrue(number(server, "wal_bytes") > number(json, "bytes_per_entry"), json::toString);
        assertTrue(number(server, "rows_inserted") > 0, json::toString);
        assertTrue(progress.contains("verifying every chain"), progress::toString);
    }

    @Test
    void offersARateAndTellsWhatBecameOfIt() throws Exception {
        JsonObject json = run("sequence", options().withOffered(50));

        assertEquals(50, number(json, "offered_per_s"), json.toString());
        assertTrue(number(json, "offered") > 0, json::toString);
        assertTrue(number(json, "refused") <= number(json, "offered"), json::toString);
        assertFalse(json.members().containsKey("inflight"), json::toString);
    }

    @Test
    void seesEveryTimerOfTheStormGoOff() throws Exception {
        JsonObject json = run("timers", options());

        assertEquals(SIZES.storm(), number(json, "storm"), json.toString());
        assertTrue(number(json, "storm_drain_per_s") > 0, json::toString);
        assertTrue(number(json, "steady_per_s") > 0, json::toString);
        JsonCursor drift = JsonCursor.of(json).member("storm_drift_ms");
        assertEquals(SIZES.storm(), drift.longValue("count"), json.toString());
        assertEquals(0, number(json, "foreground_failed"), json.toString());
    }

    @Test
    void seesEveryBufferedInputDecided() throws Exception {
        JsonObject json = run("resume", options());

        assertEquals(SIZES.resumed(), number(json, "resumed_runs"), json.toString());
        assertEquals((double) SIZES.resumed() * SIZES.inputs(), number(json, "inputs"), json.toString());
        assertTrue(number(json, "inputs_per_s") > 0, json::toString);
    }

    @Test
    void measuresEachSizeOfAPayload() throws Exception {
        JsonObject json = run("payload", options());

        List<JsonCursor> parts = JsonCursor.of(json).member("payloads").items();
        assertEquals(
                SIZES.payloads(),
                parts.stream()
                        .map(part -> (int) part.longValue("payload_bytes"))
                        .toList());
        for (JsonCursor part : parts) {
            assertTrue(part.longValue("steps") > 0, json::toString);
            // Beyond 32 KiB a value is set aside: an entry holds its hash, whatever its size.
            assertTrue(part.longValue("bytes_per_entry") < 10_000, json::toString);
        }
    }

    @Test
    void fillsADatabaseWithCopiesWhoseChainsStand() throws Exception {
        JsonObject json = run("full", options());

        int copies = SIZES.finished() + SIZES.waiting();
        assertTrue(number(json, "verified_runs") > copies, json::toString);
        assertTrue(number(json, "steps_per_s") > 0, json::toString);
        assertTrue(number(json, "empty_steps_per_s") > 0, json::toString);
        assertTrue(number(json, "ready_ms") > 0, json::toString);
        assertTrue(JsonCursor.of(json).member("lists").items().size() > 10, json::toString);
    }

    @Test
    void seesDeadRowsGrowWhileASnapshotIsHeldOpen() throws Exception {
        JsonObject json = run("snapshot", options().withInflight(20));

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
        List<JsonCursor> parts = JsonCursor.of(run("flat", BenchOptions.shortest(Duration.ofSeconds(1))))
                .member("parts")
                .items();

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
        JsonCursor widest = parts.get(2).member("marks").items().getLast();
        assertEquals(SIZES.elements(), widest.longValue("width"));
        assertTrue(number(widest.member("element").object(), "wal_bytes") > 100, widest::toString);
        assertTrue(widest.member("foreground_during_ms").longValue("count") > 0, widest::toString);
    }

    @Test
    void tellsWhatGrewOverTheSecondHalfOfASoak() throws Exception {
        JsonObject json =
                run("soak", BenchOptions.shortest(Duration.ofSeconds(6)).withOffered(20));

        List<JsonCursor> samples = JsonCursor.of(json).member("samples").items();
        assertEquals(12, samples.size(), json::toString);
        assertEquals(20, number(json, "offered_per_s"), json.toString());
        assertTrue(number(json, "runs_per_s") > 0, json::toString);
        JsonCursor last = samples.getLast();
        assertTrue(number(last.object(), "resident_mb") > 0, last::toString);
        assertTrue(last.longValue("wal_bytes") > samples.getFirst().longValue("wal_bytes"), json::toString);
        // Runs and their events are kept; of receipts there must have been some.
        assertTrue(bytes(last, "entries") > bytes(samples.getFirst(), "entries"), last::toString);
        assertTrue(bytes(last, "receipts") > 0, last::toString);
        JsonCursor trends = JsonCursor.of(json).member("trends");
        for (String series : List.of("runs_per_s", "run_p95_ms", "heap_mb", "bounded_mb", "wal_bytes_per_run")) {
            assertTrue(
                    List.of("flat", "grows", "falls")
                            .contains(trends.member(series).string("verdict")),
                    series);
        }
    }

    @Test
    void seesAQuietTenantAloneAndBesideAHotOne() throws Exception {
        JsonObject json = run("tenants", options().withOffered(4));

        assertEquals(400, number(json, "hot_offered_per_s"), json.toString());
        assertTrue(number(json, "hot_per_s") > 10 * number(json, "quiet_per_s"), json::toString);
        JsonCursor at = JsonCursor.of(json);
        assertTrue(at.member("quiet_alone_ms").longValue("count") > 0, json::toString);
        assertTrue(at.member("quiet_beside_ms").longValue("count") > 0, json::toString);
        assertTrue(number(json, "p95_times") > 0, json::toString);
        assertTrue(number(json, "verified_runs") > 400, json::toString);
    }

    private static long bytes(JsonCursor sample, String table) {
        return sample.member("tables").member(table).longValue("bytes");
    }

    private static BenchOptions options() {
        return BenchOptions.shortest(Duration.ofSeconds(3));
    }

    private JsonObject run(String name, BenchOptions options) throws Exception {
        Bench bench = new Bench(
                server.config(),
                (ports, observer) -> {
                    throw new IllegalStateException("nothing is called over HTTP here");
                },
                options,
                progress::add);
        Report report = Workloads.named(name).orElseThrow().run(bench);

        assertTrue(report.sound(), () -> report.toJson().toString());
        assertEquals(name, report.name());
        assertFalse(report.curves().isEmpty(), name);
        assertFalse(report.curves().getFirst().samples().isEmpty(), name);
        assertFalse(report.lines().isEmpty(), name);
        return report.toJson();
    }

    private static double number(JsonObject json, String name) {
        return json.get(name) instanceof JsonNumber number ? number.doubleValue() : Double.NaN;
    }
}
