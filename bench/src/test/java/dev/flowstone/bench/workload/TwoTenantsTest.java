package dev.flowstone.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.load.Reading;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.load.Windows;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.json.JsonCursor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Up to which load a quiet tenant counts as undisturbed. */
final class TwoTenantsTest {
    private static final int SECONDS = 10;

    @Test
    void isUndisturbedUpToTheLastLoadThatIsNoMoreThanTwice() {
        MeasuredReport report = report(load(2, 1_000, 1_200), load(5, 1_000, 2_000), load(10, 1_000, 2_600));

        assertTrue(report.sound());
        assertEquals(500, number(JsonCursor.of(report.toJson()), "undisturbed_up_to_per_s"));
        assertTrue(JsonCursor.of(report.toJson()).bool("quiet_undisturbed"));
    }

    @Test
    void whatHoldsAgainBehindALoadThatDisturbsCountsNoMore() {
        MeasuredReport report = report(load(2, 1_000, 1_200), load(5, 1_000, 2_600), load(10, 1_000, 1_200));

        assertEquals(200, number(JsonCursor.of(report.toJson()), "undisturbed_up_to_per_s"));
    }

    @Test
    void isUnsoundIfTheSmallestLoadDisturbs() {
        MeasuredReport report = report(load(2, 1_000, 2_600), load(5, 1_000, 1_200));

        assertFalse(report.sound());
        assertEquals(0, number(JsonCursor.of(report.toJson()), "undisturbed_up_to_per_s"));
        assertFalse(JsonCursor.of(report.toJson()).bool("quiet_undisturbed"));
    }

    @Test
    void tellsEachLoadAndWhatOfTheProcessorsItTook() {
        Duration all =
                Duration.ofSeconds(SECONDS).multipliedBy(Runtime.getRuntime().availableProcessors());
        MeasuredReport report = report(load(5, 1_000, 3_000, Optional.of(all.dividedBy(4))), load(10, 1_000, 4_000));

        List<JsonCursor> loads = JsonCursor.of(report.toJson()).member("loads").items();
        assertEquals(500, number(loads.getFirst(), "hot_offered_per_s"));
        assertEquals(3, number(loads.getFirst(), "p95_times"), 0.01);
        assertEquals(0.25, number(loads.getFirst(), "busy"), 0.001);
        assertEquals(4, number(loads.get(1), "p95_times"), 0.01);
        assertTrue(loads.get(1).find("busy").isEmpty(), "a database elsewhere has processors of its own");
    }

    private static MeasuredReport report(TwoTenants... loads) {
        return TwoTenants.report("tenants", List.of(loads), true, new ChainReport(1, 1, Optional.empty()));
    }

    private static TwoTenants load(int quiet, int alone, int beside) {
        return load(quiet, alone, beside, Optional.empty());
    }

    /** All runs alone took so many microseconds, and so many beside the hot tenant. */
    private static TwoTenants load(int quiet, int alone, int beside, Optional<Duration> processors) {
        return new TwoTenants(quiet, 100 * quiet, windows(alone), windows(beside), windows(beside), processors, 0);
    }

    private static Windows windows(int micros) {
        Histogram runs = new Histogram(3);
        IntStream.range(0, 100).forEach(_ -> runs.recordValue(micros));
        Reading reading = new Reading(runs, new Histogram(3), 100, 100, 0);
        return new Windows(
                List.of(new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(SECONDS), 100, reading, List.of())));
    }

    private static double number(JsonCursor json, String member) {
        return ShortWorkloads.number(json.object(), member);
    }
}
