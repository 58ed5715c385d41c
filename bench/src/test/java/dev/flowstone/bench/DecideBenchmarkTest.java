package dev.flowstone.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.ProgramCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DecideBenchmarkTest {
    @Test
    void measuresEveryShapeAndSeesThatALongRunCostsNoMoreAStep() {
        List<String> progress = new ArrayList<>();

        DecideReport report =
                new DecideBenchmark(Duration.ofMillis(50), new DecideSizes(10, 10, 50, 20_000), progress::add).run();

        JsonObject json = report.toJson();
        assertTrue(report.sound(), json::toString);
        assertEquals(4, JsonCursor.of(json).member("shapes").items().size(), json::toString);
        for (JsonCursor shape : JsonCursor.of(json).member("shapes").items()) {
            assertTrue(shape.longValue("runs") > 0, json::toString);
            assertTrue(shape.longValue("decisions") > shape.longValue("runs"), json::toString);
            assertTrue(shape.longValue("allocated_per_decision") > 0, json::toString);
        }
        assertEquals(20_000, JsonCursor.of(json).member("growth").longValue("steps"));
        assertEquals(List.of("sequence of 5", "fan-out of 10"), progress.subList(0, 2));
        assertTrue(report.lines().getLast().startsWith("one run of 20,000 steps"), report.lines()::toString);
    }

    /** Decisions, like events, are counted by the kernel, not by the clock: each task is decided once. */
    @Test
    void aRunTakesOneDecisionForItsStartAndOneForEachTask() {
        DecideRun run = DecideRun.start(
                DecidePrograms.layers(3, 4), DecideRun.hash(DecidePrograms.layers(3, 4)), JsonObject.EMPTY);
        run.go(Long.MAX_VALUE / 2);
        assertTrue(run.succeeded());
        assertEquals(12, run.steps());
        assertEquals(13, run.decisions());
    }

    @Test
    void aLongRunThatCostsMoreAndMoreIsNotSound() {
        assertTrue(grown(new DecideReport.Round(2, 3, 100, 150)).sound());
        assertFalse(grown(new DecideReport.Round(2, 2, 100, 151)).sound(), "by what it allocates");
        assertFalse(grown(new DecideReport.Round(2, 3.1, 100, 100)).sound(), "by the time that it takes");
    }

    @Test
    void aPauseOfTheMachineSpoilsARoundAndNotTheJudgement() {
        DecideReport.Round even = new DecideReport.Round(2, 2, 100, 100);
        DecideReport.Round paused = new DecideReport.Round(2, 900, 100, 100);
        DecideReport.Round slow = new DecideReport.Round(50, 60, 100, 100);

        assertTrue(grown(even, paused, slow).sound());
        assertFalse(grown(paused, paused, even).sound());
    }

    private static DecideReport grown(DecideReport.Round... rounds) {
        return new DecideReport(List.of(), new DecideReport.Growth(9, List.of(rounds)));
    }

    @Test
    void theShapesAreProgramsWithoutFaults() {
        assertEquals(List.of(), ProgramCheck.faults(DecidePrograms.sequence(5)));
        assertEquals(List.of(), ProgramCheck.faults(DecidePrograms.fanOut(5)));
        assertEquals(List.of(), ProgramCheck.faults(DecidePrograms.layers(3, 5)));
        assertEquals(List.of(), ProgramCheck.faults(DecidePrograms.forEach(5)));
        assertEquals(List.of(), ProgramCheck.faults(DecidePrograms.cycle()));
    }
}
