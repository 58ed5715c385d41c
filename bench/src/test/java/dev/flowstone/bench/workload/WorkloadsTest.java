package dev.flowstone.bench.workload;

import static dev.flowstone.bench.workload.ShortWorkloads.SIZES;
import static dev.flowstone.bench.workload.ShortWorkloads.number;
import static dev.flowstone.bench.workload.ShortWorkloads.options;
import static dev.flowstone.bench.workload.ShortWorkloads.seconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What they say must be what happened; how fast it was is nobody's business here. Those over REST are tested in the server. */
final class WorkloadsTest {
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

    @ParameterizedTest
    @ValueSource(strings = {"sequence", "fan-out"})
    void tellsStepsThatAreStoredAndVerifiesThem(String name) throws Exception {
        JsonObject json = workloads.run(name, seconds(2).withInflight(20));

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
        assertTrue(workloads.progress().contains("verifying every chain"), workloads.progress()::toString);
    }

    @ParameterizedTest
    @CsvSource({"dag-deep, 4, 1", "dag-wide, 4, 1", "dag-fifty, 50, 50"})
    void runsLargeGraphsToTheirEnds(String name, int inflight, int workflows) throws Exception {
        JsonObject json = workloads.run(name, options());

        assertTrue(number(json, "steps") > 0, json::toString);
        assertEquals(inflight, number(json, "inflight"), json.toString());
        assertEquals(0, number(json, "runs_failed"), json.toString());
        assertTrue(number(json, "verified_events") > number(json, "steps"), json::toString);
        assertEquals(workflows > 1, json.members().containsKey("workflows"), json.toString());
        if (workflows > 1) {
            assertEquals(workflows, number(json, "workflows"), json.toString());
        }
    }

    @Test
    void offersARateAndTellsWhatBecameOfIt() throws Exception {
        JsonObject json = workloads.run("sequence", options().withOffered(50));

        assertEquals(50, number(json, "offered_per_s"), json.toString());
        assertTrue(number(json, "offered") > 0, json::toString);
        assertTrue(number(json, "refused") <= number(json, "offered"), json::toString);
        assertFalse(json.members().containsKey("inflight"), json::toString);
    }

    @Test
    void seesEveryTimerOfTheStormGoOff() throws Exception {
        JsonObject json = workloads.run("timers", options());

        assertEquals(SIZES.storm(), number(json, "storm"), json.toString());
        assertTrue(number(json, "storm_drain_per_s") > 0, json::toString);
        assertTrue(number(json, "steady_per_s") > 0, json::toString);
        JsonCursor drift = JsonCursor.of(json).member("storm_drift_ms");
        assertEquals(SIZES.storm(), drift.longValue("count"), json.toString());
        assertEquals(0, number(json, "foreground_failed"), json.toString());
    }

    @Test
    void seesEveryBufferedInputDecided() throws Exception {
        JsonObject json = workloads.run("resume", options());

        assertEquals(SIZES.resumed(), number(json, "resumed_runs"), json.toString());
        assertEquals((double) SIZES.resumed() * SIZES.inputs(), number(json, "inputs"), json.toString());
        assertTrue(number(json, "inputs_per_s") > 0, json::toString);
    }

    @Test
    void measuresEachSizeOfAPayload() throws Exception {
        JsonObject json = workloads.run("payload", options());

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
    void tellsWhatGrewOverTheSecondHalfOfASoak() throws Exception {
        JsonObject json = workloads.run("soak", seconds(6).withOffered(20));

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
        JsonObject json = workloads.run("tenants", seconds(3).withOffered(4));

        List<JsonCursor> loads = JsonCursor.of(json).member("loads").items();
        assertEquals(1, loads.size(), json::toString);
        JsonObject load = loads.getFirst().object();
        assertEquals(400, number(load, "hot_offered_per_s"), json.toString());
        assertTrue(number(load, "hot_per_s") > 10 * number(load, "quiet_per_s"), json::toString);
        JsonCursor at = loads.getFirst();
        assertTrue(at.member("quiet_alone_ms").longValue("count") > 0, json::toString);
        assertTrue(at.member("quiet_beside_ms").longValue("count") > 0, json::toString);
        assertTrue(number(load, "p95_times") > 0, json::toString);
        double busy = number(load, "busy");
        assertTrue(busy > 0 && busy <= 1.2, json::toString);
        assertTrue(number(json, "verified_runs") > 400, json::toString);
    }

    private static long bytes(JsonCursor sample, String table) {
        return sample.member("tables").member(table).longValue("bytes");
    }
}
