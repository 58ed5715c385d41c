package dev.flowstone.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What it says must be what happened; how fast it was is nobody's business here. */
final class SequenceBenchmarkTest {
    @TempDir
    Path data = Path.of("");

    @Test
    void tellsWhatIsStoredAndVerifiesIt() throws Exception {
        List<String> progress = new ArrayList<>();
        SequenceOptions options = new SequenceOptions(
                Duration.ofSeconds(2), OptionalInt.of(20), List.of(20), Duration.ofMillis(200), Duration.ofMillis(200));
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(data))) {
            SequenceReport report = new SequenceBenchmark(server.config(), options, progress::add).run();

            JsonObject json = report.toJson();
            assertTrue(report.sound(), json::toString);
            assertTrue(number(json, "steps") > 0, json::toString);
            assertTrue(number(json, "handler_calls") >= number(json, "steps"), json::toString);
            // A window cuts runs in half at both ends: by at most those in flight.
            assertTrue(number(json, "steps_per_s") * 2 <= number(json, "handler_calls"), json::toString);
            assertEquals(20, number(json, "inflight"), json.toString());
            assertEquals(0, number(json, "runs_failed"), json.toString());
            assertTrue(number(json, "verified_events") > number(json, "steps"), json::toString);
            assertTrue(number(json, "bare_decisions_per_s") > 0, json::toString);
            assertTrue(progress.contains("verifying every chain"), progress::toString);
            assertTrue(report.lines().getFirst().contains("steps/s"), report.lines()::toString);
        }
    }

    private static double number(JsonObject json, String name) {
        return json.get(name) instanceof JsonNumber number ? number.doubleValue() : Double.NaN;
    }
}
