package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.postgres.PgBouncer;
import dev.flowstone.server.cli.Cli.Said;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The short form of each workload over REST, by the real server on a real database, and what becomes of results. */
final class BenchCommandTest {
    @TempDir
    static Path data = Path.of("");

    @TempDir
    private Path results = Path.of("");

    @ParameterizedTest
    @CsvSource({"start, starts, call_ms", "approve, runs, moved_ms", "signal, runs, moved_ms"})
    void measuresCallsOverRest(String name, String counted, String latency) throws Exception {
        JsonCursor json = measured(name);

        assertTrue(json.longValue(counted) > 0, name);
        assertTrue(json.member(latency).longValue("count") > 0, name);
        assertTrue(json.longValue("verified_runs") >= json.longValue(counted), name);
    }

    @Test
    void measuresTasksOfAWorkerInAnotherProcess() throws Exception {
        JsonCursor json = measured("remote");

        assertTrue(json.longValue("tasks") > 0, "some were done");
        assertEquals(
                json.longValue("tasks"), json.member("task_ms").longValue("count"), "each has the time that it took");
        assertTrue(json.longValue("verified_events") > json.longValue("tasks"), "each is in a chain");
        assertEquals(0, json.longValue("runs_failed"), "none was lost");
    }

    @Test
    void measuresThroughAProxyThatPoolsByTransaction() throws Exception {
        assumeTrue(PgBouncer.program().isPresent(), PgBouncer.MISSING);

        JsonCursor json = measured("sequence", "--pgbouncer");

        assertTrue(json.longValue("steps") > 0, "some were done");
        assertTrue(json.member("environment").bool("pgbouncer"));
    }

    @Test
    void offersWebhooksThatAreSigned() throws Exception {
        JsonCursor json = measured("webhooks", "--open", "40");

        assertTrue(json.longValue("accepted") > 0, "some were taken");
        assertTrue(json.longValue("starts") > 0, "and started something");
        assertTrue(json.member("call_ms").longValue("count") > 0, "each has the time that it took");
        assertEquals(0, json.longValue("lost"), "none was lost");
    }

    @Test
    void offersTwoTenantsARate() throws Exception {
        JsonCursor json = measured(2, "tenants", "--open", "4");

        JsonCursor load = json.member("loads").items().getFirst();
        assertEquals(4, load.longValue("quiet_offered_per_s"));
        assertEquals(400, load.longValue("hot_offered_per_s"));
        assertTrue(load.member("quiet_beside_ms").longValue("count") > 0);
        assertTrue(json.find("quiet_undisturbed").isEmpty(), "a short form judges nothing");
    }

    @Test
    void measuresOneTwoAndThreeNodesBesideWhatTheModelSays() throws Exception {
        Said said = Cli.here("bench", "nodes", "--short", "--seconds", "2", "--json", "--data", data.toString());

        assertEquals(0, said.exit(), said::toString);
        List<JsonCursor> parts = JsonCursor.of(JsonParser.parse(said.out().getBytes(StandardCharsets.UTF_8)))
                .member("parts")
                .items();
        assertEquals(
                List.of(1L, 2L, 3L),
                parts.stream().map(part -> part.longValue("nodes")).toList());
        for (JsonCursor part : parts) {
            assertTrue(part.longValue("decisions") > 0, said::out);
            assertTrue(part.longValue("verified_events") > part.longValue("decisions"), said::out);
            assertEquals(0, part.longValue("runs_ended"), said::out);
            for (String figure : List.of(
                    "decisions_per_s",
                    "model_per_s",
                    "measured_over_model",
                    "decision_p95_ms",
                    "e_us",
                    "w_bytes",
                    "b",
                    "a_us")) {
                assertTrue(
                        part.member(figure).value() instanceof JsonNumber number && number.doubleValue() > 0, figure);
            }
        }
        // Whoever shares the machine's processors can't be faster for being more.
        assertEquals(
                parts.getFirst().member("model_per_s").value(),
                parts.getLast().member("model_per_s").value());
    }

    @Test
    void firesSchedulesThatAreDueAtTheSameSecond() throws Exception {
        JsonCursor json = measured("schedules");

        assertEquals(200, json.longValue("schedules"));
        assertEquals(200, json.member("late_ms").longValue("count"), "each once");
    }

    @Test
    void refusesARateWhereNoneIsOffered() throws Exception {
        Said said = Cli.here("bench", "nodes", "--open", "4", "--data", data.toString());

        assertEquals(2, said.exit(), said::toString);
        assertTrue(said.err().contains("--open is for fan-out, remote, sequence, soak, tenants, webhooks"), said::err);
    }

    /** Whose chains are whole, or it fails. */
    private static JsonCursor measured(String name, String... other) throws Exception {
        return measured(1, name, other);
    }

    /** The same for so many seconds. */
    private static JsonCursor measured(int seconds, String name, String... other) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                "bench", name, "--short", "--seconds", Integer.toString(seconds), "--json", "--data", data.toString()));
        all.addAll(List.of(other));
        Said said = Cli.here(all.toArray(String[]::new));

        assertEquals(0, said.exit(), said::toString);
        JsonCursor json = JsonCursor.of(JsonParser.parse(said.out().getBytes(StandardCharsets.UTF_8)));
        assertTrue(json.bool("chains_whole"), said::toString);
        return json;
    }

    @Test
    void keepsWhatIsMeasuredWithItsEnvironmentAndDrawsIt() throws Exception {
        Path drawing = results.resolve("here.html");
        Path kept = results.resolve("kept");

        Said said = Cli.here(
                "bench",
                "sequence",
                "--short",
                "--seconds",
                "1",
                "--json",
                "--data",
                data.toString(),
                "--html",
                drawing.toString(),
                "--results",
                kept.toString());

        assertEquals(0, said.exit(), said::toString);
        JsonCursor json = JsonCursor.of(JsonParser.parse(said.out().getBytes(StandardCharsets.UTF_8)));
        assertEquals("on", json.member("environment").string("fsync"));
        assertTrue(json.member("environment").string("postgres").startsWith("PostgreSQL"), said::out);
        assertTrue(Files.readString(drawing).contains("<polyline"));
        try (Stream<Path> files = Files.list(kept)) {
            List<Path> two = files.sorted().toList();
            assertEquals(2, two.size(), two::toString);
            assertEquals(Files.readString(drawing), Files.readString(two.getFirst()));
            assertEquals(said.out().strip(), Files.readString(two.getLast()).strip());
        }
    }

    @Test
    void refusesAFolderWithoutAHarness() throws Exception {
        Said said = Cli.here("bench", "sequence", "--peers", results.toString(), "--data", data.toString());

        assertEquals(2, said.exit(), said::toString);
        assertTrue(said.err().contains("run-all.sh"), said::err);
    }

    @Test
    void putsAPeerBesideTheSequence() throws Exception {
        Path harness = Files.createDirectories(results.resolve("harness"));
        Files.writeString(
                harness.resolve("run-all.sh"),
                "echo '{\"peer\":\"'$2'\",\"workload\":\"sequence-5\",\"steps_s\":10,\"p50_ms\":1,\"p95_ms\":2}' > $1");

        Said said = Cli.here(
                "bench",
                "sequence",
                "--short",
                "--seconds",
                "1",
                "--json",
                "--peers",
                harness.toString(),
                "--peer",
                "some",
                "--data",
                data.toString());

        assertEquals(0, said.exit(), said::toString);
        List<JsonCursor> found = JsonCursor.of(JsonParser.parse(said.out().getBytes(StandardCharsets.UTF_8)))
                .member("results")
                .items();
        assertEquals("sequence", found.getFirst().string("bench"));
        JsonCursor peer = found.getLast().member("peers").items().getFirst();
        assertEquals("some", peer.string("peer"));
        assertEquals(10, peer.member("line").longValue("steps_s"));
    }
}
