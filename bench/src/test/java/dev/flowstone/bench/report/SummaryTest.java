package dev.flowstone.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Sample;
import dev.flowstone.bench.load.Window;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.verify.ChainFault;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.ServerFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SummaryTest {
    private static final JsonObject ENVIRONMENT = Environment.of(
            new ServerFacts("PostgreSQL 18", Map.of("fsync", "on", "shared_buffers", "1GB")),
            false,
            Instant.parse("2026-11-28T00:00:00Z"));

    private static final Window WINDOW = new Window(
            Instant.EPOCH,
            Instant.EPOCH.plusSeconds(2),
            300,
            new LoadMeter().read(),
            List.of(new Sample(1, 100, 2, 5), new Sample(2, 200, 3, 8)));

    @Test
    void tellsTheEnvironmentOnceForAll() {
        Summary summary = new Summary(List.of(report("one", whole()), report("two", whole())), ENVIRONMENT);

        JsonCursor json = JsonCursor.of(summary.toJson());
        assertEquals("all", json.string("bench"));
        assertEquals("on", json.member("environment").string("fsync"));
        assertEquals(
                "1GB", json.member("environment").member("postgres_settings").string("shared_buffers"));
        assertTrue(json.member("environment").longValue("cores") > 0);
        assertEquals(
                List.of("one", "two"),
                json.member("results").items().stream()
                        .map(result -> result.string("bench"))
                        .toList());
        assertTrue(summary.sound());
    }

    @Test
    void tellsOneMeasurementAsItIs() {
        JsonObject json = new Summary(List.of(report("one", whole())), ENVIRONMENT).toJson();

        assertEquals(100, JsonCursor.of(json).longValue("steps_per_s"));
        assertEquals(ENVIRONMENT, json.get("environment"));
    }

    @Test
    void isNotSoundIfAChainIsBroken() {
        RunKey run = new RunKey(new TenantId("bench"), RunId.of(Instant.EPOCH, new Slot(0), 0));
        ChainReport broken = new ChainReport(1, 0, Optional.of(new ChainFault(run, 1, "gone")));

        Summary summary = new Summary(List.of(report("one", whole()), report("two", broken)), ENVIRONMENT);

        assertFalse(summary.sound());
        assertTrue(
                summary.lines().stream().anyMatch(line -> line.startsWith("BROKEN CHAIN")), summary.lines()::toString);
    }

    @Test
    void isNotSoundIfSomethingFailed() {
        assertFalse(MeasuredReport.of("one")
                .none("runs_failed", "runs failed", 1)
                .build()
                .sound());
    }

    @Test
    void isNotSoundIfSomethingIsNotAsItMustBe() {
        MeasuredReport kept = MeasuredReport.of("one")
                .must("kept_enough", true, "less is kept")
                .build();
        MeasuredReport lost = MeasuredReport.of("two")
                .must("kept_enough", false, "less is kept")
                .build();

        assertTrue(kept.sound());
        assertTrue(JsonCursor.of(kept.toJson()).bool("kept_enough"));
        assertEquals(List.of(), kept.lines());
        assertFalse(lost.sound());
        assertFalse(JsonCursor.of(lost.toJson()).bool("kept_enough"));
        assertEquals(List.of("NOT AS IT MUST BE: less is kept"), lost.lines());
    }

    @Test
    void keepsWhatOthersFoundWhenOneComesToNothing() {
        Report failed = MeasuredReport.failed("two", new IllegalStateException("no room"));

        Summary summary = new Summary(List.of(report("one", whole()), failed), ENVIRONMENT);

        assertFalse(summary.sound());
        List<JsonCursor> results =
                JsonCursor.of(summary.toJson()).member("results").items();
        assertEquals(100, results.getFirst().longValue("steps_per_s"));
        assertTrue(results.getLast().string("error").contains("no room"));
    }

    @Test
    void ofSeveralTheTableComesFirst() {
        Report failed = MeasuredReport.failed("two", new IllegalStateException("no room"));

        Summary summary = new Summary(List.of(report("one", whole()), failed), ENVIRONMENT);

        assertTrue(summary.table().getFirst().matches("one +steps 100 /s"), summary.table()::toString);
        assertTrue(summary.table().getLast().contains("NOT SOUND  FAILED"), summary.table()::toString);
        assertEquals(summary.table(), summary.lines().subList(0, 2));
        JsonCursor row = JsonCursor.of(summary.toJson()).member("table").items().getLast();
        assertEquals("two", row.string("bench"));
        assertFalse(row.bool("sound"));
        assertTrue(summary.toHtml().contains("<pre>one"), summary::toHtml);
    }

    @Test
    void drawsHowOneThingGrowsWithAnother() {
        List<Plot.Point> points = List.of(new Plot.Point(1, 5), new Plot.Point(10, 10), new Plot.Point(100, 20));
        Report report = MeasuredReport.of("flat")
                .plot(new Plot("ms by the step", "events", true, List.of(new Plot.Line("<late>", points))))
                .build();

        String page = new Summary(List.of(report), ENVIRONMENT).toHtml();

        // By powers of ten the second point stands in the middle.
        assertTrue(page.contains("<polyline class=\"rate\" points=\"70.0,"), page);
        assertTrue(page.contains(" 520.0,"), page);
        assertTrue(page.contains("&lt;late&gt;"), page);
        assertTrue(page.contains("100 events"), page);
    }

    @Test
    void drawsWhatHappenedMeanwhile() {
        List<Plot.Point> points = List.of(new Plot.Point(0, 5), new Plot.Point(100, 20));
        Plot plot = new Plot(
                "calls",
                "s",
                false,
                List.of(new Plot.Line("done", points)),
                List.of(new Plot.Band("<kill>", 10, 20, 500)));

        String page =
                new Summary(List.of(MeasuredReport.of("torture").plot(plot).build()), ENVIRONMENT).toHtml();

        assertTrue(page.contains("<rect class=\"band\" x=\"160.0\" y=\"40\" width=\"90.0\""), page);
        assertTrue(page.contains("<rect class=\"after\" x=\"250.0\" y=\"40\" width=\"720.0\""), page);
        assertTrue(page.contains("&lt;kill&gt;"), page);
    }

    @Test
    void drawsAPageThatNeedsNothingElse() {
        String page = new Summary(List.of(report("<one>", whole())), ENVIRONMENT).toHtml();

        assertTrue(page.contains("<polyline class=\"rate\" points=\"520.0,"), page);
        assertTrue(page.contains("class=\"p95\""), page);
        assertTrue(page.contains("&lt;one&gt;"), page);
        assertFalse(page.contains("<one>"), page);
        assertFalse(page.contains("<script"), page);
        assertFalse(page.contains("href=") || page.contains("src=") || page.contains("url("), page);
    }

    private static Report report(String name, ChainReport chains) {
        return MeasuredReport.of(name)
                .rate("steps_per_s", "steps", 100)
                .chains(chains)
                .curve(name, "steps", WINDOW)
                .build();
    }

    private static ChainReport whole() {
        return new ChainReport(1, 2, Optional.empty());
    }
}
