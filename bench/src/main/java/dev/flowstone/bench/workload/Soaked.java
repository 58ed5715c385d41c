package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.Memory;
import dev.flowstone.bench.load.Reading;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.Figures;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Plot;
import dev.flowstone.bench.report.Trend;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.postgres.TableSizes;
import dev.flowstone.postgres.TableSizes.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * What a soak has seen.
 *
 * @param perSecond runs that were offered
 * @param liveHalfway bytes of heap that lived at half time
 * @param liveAtEnd and at the end
 */
record Soaked(
        double perSecond,
        long offered,
        long refused,
        Window all,
        List<Sample> samples,
        long liveHalfway,
        long liveAtEnd) {
    /** What is kept for ever, until it is archived. */
    private static final Set<String> FOR_EVER = Set.of("entries", "runs");

    private static final double MEGA = 1e6;

    /** Megabytes of a table, from which it is told by itself. */
    private static final double WORTH_TELLING = 0.1;

    /**
     * Some seconds of it, in numbers: hours of whole histograms would be what grows most.
     *
     * @param second its end, since the beginning
     * @param finished runs that ended in it
     * @param rate of them, a second
     * @param p50 milliseconds of a run
     * @param p95 the same
     * @param heap bytes after the last collection
     * @param resident bytes of this process
     * @param walBytes of the server, ever
     */
    record Sample(
            double second,
            long finished,
            double rate,
            double p50,
            double p95,
            long heap,
            long resident,
            long walBytes,
            TableSizes sizes) {
        static Sample of(double second, Window window, Rig rig) throws JournalException {
            Reading reading = window.reading();
            return new Sample(
                    second,
                    reading.finished(),
                    window.perSecond(reading.finished()),
                    reading.runs().getValueAtPercentile(50) / 1e3,
                    reading.runs().getValueAtPercentile(95) / 1e3,
                    Memory.heapAfterCollection(),
                    Memory.resident(),
                    rig.work().walBytes(),
                    rig.tableSizes());
        }

        long dead() {
            return sizes.tables().values().stream().mapToLong(Size::dead).sum();
        }

        /** Bytes of all tables that keep things for ever, or of all others. */
        long bytes(boolean forEver) {
            return sizes.tables().entrySet().stream()
                    .filter(table -> FOR_EVER.contains(table.getKey()) == forEver)
                    .mapToLong(
                            table -> table.getValue().heap() + table.getValue().indexes())
                    .sum();
        }
    }

    /** One thing over time. */
    private record Series(String member, String label, ToDoubleFunction<Sample> value) {}

    private static final List<Series> SERIES = List.of(
            new Series("runs_per_s", "runs a second", Sample::rate),
            new Series("run_p50_ms", "p50 of a run, ms", Sample::p50),
            new Series("run_p95_ms", "p95 of a run, ms", Sample::p95),
            new Series("heap_mb", "heap after collection, MB", sample -> sample.heap() / MEGA),
            new Series("resident_mb", "resident, MB", sample -> sample.resident() / MEGA),
            new Series("dead_rows", "dead rows", Sample::dead),
            new Series("bounded_mb", "tables that must level off, MB", sample -> sample.bytes(false) / MEGA));

    void tell(MeasuredReport.Builder report) {
        report.rate("runs_per_s", "runs", all.perSecond(all.reading().finished()))
                .rate("offered_per_s", "offered", perSecond)
                .count("offered", "offered in all", offered)
                .count("refused", "refused as busy", refused)
                .figure("seconds", "seconds", all.seconds())
                .latency("run_ms", "a run", all.reading().runs())
                .figure("live_heap_halfway_mb", "live heap, half time", liveHalfway / MEGA)
                .figure("live_heap_mb", "live heap at the end", liveAtEnd / MEGA)
                .line("over the second half:                    from         to     change");
        JsonObject.Builder trends = JsonObject.builder();
        for (Series series : SERIES) {
            trend(report, trends, series);
        }
        for (String table : samples.getLast().sizes().tables().keySet()) {
            if (!FOR_EVER.contains(table) && mb(samples.getLast(), table) >= WORTH_TELLING) {
                trend(
                        report,
                        trends,
                        new Series(table + "_mb", "table " + table + ", MB", sample -> mb(sample, table)));
            }
        }
        Trend wal = trend("WAL by the run, bytes", perRun(Sample::walBytes));
        Trend kept = trend("kept for ever by the run, bytes", perRun(sample -> sample.bytes(true)));
        report.line(wal.line()).line(kept.line());
        trends.put("wal_bytes_per_run", wal.toJson()).put("kept_bytes_per_run", kept.toJson());
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        report.count(
                        "checkpoints",
                        "checkpoints",
                        last.sizes().checkpoints() - first.sizes().checkpoints())
                .put("trends", trends.build())
                .put("samples", json())
                .none("runs_failed", "runs failed", all.reading().failed())
                .none("leaking", "live heap that has grown by half since half time", leaks() ? 1 : 0)
                .curve("soak", "steps", all);
        plots(report);
    }

    /** A little may be caches that fill, or the JVM's own. */
    private boolean leaks() {
        return liveAtEnd > liveHalfway * 1.5 + 16 * MEGA;
    }

    private static double mb(Sample sample, String table) {
        Size size = sample.sizes().tables().getOrDefault(table, new Size(0, 0, 0));
        return (size.heap() + size.indexes()) / MEGA;
    }

    private void trend(MeasuredReport.Builder report, JsonObject.Builder trends, Series series) {
        Trend trend = trend(series.label(), points(series.value()));
        report.line(trend.line());
        trends.put(series.member(), trend.toJson());
    }

    private static Trend trend(String label, List<Plot.Point> points) {
        return Trend.of(label, points.subList(points.size() / 2, points.size()));
    }

    private List<Plot.Point> points(ToDoubleFunction<Sample> value) {
        return samples.stream()
                .map(sample -> new Plot.Point(sample.second(), value.applyAsDouble(sample)))
                .toList();
    }

    /** By how much something that only grows grew, by the run, from sample to sample. */
    private List<Plot.Point> perRun(ToDoubleFunction<Sample> value) {
        List<Plot.Point> points = new ArrayList<>();
        for (int i = 1; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            double grown = value.applyAsDouble(sample) - value.applyAsDouble(samples.get(i - 1));
            points.add(new Plot.Point(sample.second(), grown / Math.max(1, sample.finished())));
        }
        return points;
    }

    private JsonArray json() {
        List<JsonValue> all = new ArrayList<>();
        for (Sample sample : samples) {
            JsonObject.Builder one = JsonObject.builder().put("second", Figures.rounded(sample.second()));
            SERIES.forEach(series ->
                    one.put(series.member(), Figures.rounded(series.value().applyAsDouble(sample))));
            all.add(one.put("wal_bytes", sample.walBytes())
                    .put("checkpoints", sample.sizes().checkpoints())
                    .put("tables", tables(sample))
                    .build());
        }
        return new JsonArray(all);
    }

    private static JsonObject tables(Sample sample) {
        JsonObject.Builder all = JsonObject.builder();
        sample.sizes()
                .tables()
                .forEach((table, size) -> all.put(
                        table,
                        JsonObject.builder()
                                .put("bytes", size.heap())
                                .put("index_bytes", size.indexes())
                                .put("dead_rows", size.dead())
                                .build()));
        return all.build();
    }

    private void plots(MeasuredReport.Builder report) {
        report.plot(plot("latency of a run, ms", line("p95", Sample::p95), line("p50", Sample::p50)));
        report.plot(plot(
                "memory, MB",
                line("resident", sample -> sample.resident() / MEGA),
                line("heap after collection", sample -> sample.heap() / MEGA)));
        report.plot(plot("dead rows", line("all tables", Sample::dead)));
        report.plot(plot("tables that must level off, MB", line("with indexes", sample -> sample.bytes(false) / MEGA)));
        report.plot(plot(
                "bytes by the run",
                new Plot.Line("WAL", perRun(Sample::walBytes)),
                new Plot.Line("kept for ever", perRun(sample -> sample.bytes(true)))));
    }

    private static Plot plot(String title, Plot.Line... lines) {
        return new Plot("soak: " + title, "s", false, List.of(lines));
    }

    private Plot.Line line(String name, ToDoubleFunction<Sample> value) {
        return new Plot.Line(name, points(value));
    }
}
