package dev.flowstone.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.kernel.json.JsonCursor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a harness that answers at once what real ones answer after minutes. */
final class PeersTest {
    private static final Report SEQUENCE =
            MeasuredReport.of("sequence").put("steps_per_s", 36_540L).build();

    @TempDir
    private Path folder = Path.of("");

    private Report beside(String script) throws Exception {
        Files.writeString(folder.resolve("run-all.sh"), script);
        return new Peers(folder, List.of("dbos"), Duration.ofSeconds(7)).beside(SEQUENCE, what -> {});
    }

    @Test
    void putsThemBesideTheSequenceWithTheRatio() throws Exception {
        Report report = beside("""
                echo '== '$2 >&2
                echo '{"peer":"'$2'-java","workload":"sequence-5","steps_s":3654,"p50_ms":263,"p95_ms":935,"other_cpu":0.05,"secs":'$BENCH_SECS'}' > $1
                """);

        assertTrue(report.sound(), report.lines()::toString);
        JsonCursor peer = JsonCursor.of(report.toJson()).member("peers").items().getFirst();
        assertEquals("dbos-java", peer.string("peer"));
        assertEquals(10, peer.longValue("ratio"));
        assertFalse(peer.bool("disturbed"));
        assertEquals(7, peer.member("line").longValue("secs"));
        assertTrue(report.lines().getFirst().contains("10.0 times as many"), report.lines()::toString);
    }

    /** Maven sets its colors back, without an end of the line, when it has nothing to say. */
    @Test
    void readsAResultBehindWhatABuildHasLeft() throws Exception {
        Report report = beside("""
                printf '\\033[0m\\033[0m' > $1
                echo '{"peer":"x","workload":"sequence-5","steps_s":3654}' >> $1
                """);

        assertTrue(report.sound(), report.lines()::toString);
    }

    @Test
    void saysThatAMeasurementWasDisturbed() throws Exception {
        Report report =
                beside("echo '{\"peer\":\"x\",\"workload\":\"sequence-5\",\"steps_s\":1,\"steal_cpu\":0.6}' > $1");

        assertTrue(report.lines().getFirst().contains("DISTURBED"), report.lines()::toString);
    }

    @Test
    void isNotSoundIfTheyTellNothingAndSaysWhatTheHarnessSaid() throws Exception {
        Report report = beside("echo no such peer; exit 1");

        assertFalse(report.sound());
        assertTrue(String.join("\n", report.lines()).contains("no such peer"), report.lines()::toString);
    }

    @Test
    void leavesTheFolderAsItWas() throws Exception {
        beside("echo built > built; echo '{}' > $1");

        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(
                    List.of("run-all.sh"),
                    files.map(file -> file.getFileName().toString()).toList());
        }
    }
}
