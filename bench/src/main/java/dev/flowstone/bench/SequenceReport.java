package dev.flowstone.bench;

import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.postgres.BareLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** What {@code sequence} found. Latencies are measured in microseconds and told in milliseconds. */
public final class SequenceReport {
    private static final double[] QUANTILES = {50, 95, 99};

    private final int inflight;
    private final int shards;
    private final Duration measured;
    private final StoredCount stored;
    private final LoadMeter.Reading reading;
    private final long handlerCalls;
    private final BareComparison bare;
    private final ChainReport chains;

    SequenceReport(
            int inflight,
            int shards,
            Duration measured,
            StoredCount stored,
            LoadMeter.Reading reading,
            long handlerCalls,
            BareComparison bare,
            ChainReport chains) {
        this.inflight = inflight;
        this.shards = shards;
        this.measured = measured;
        this.stored = stored;
        this.reading = reading;
        this.handlerCalls = handlerCalls;
        this.bare = bare;
        this.chains = chains;
    }

    /** Whether every chain stands and no run failed; a figure of a run that doesn't is worth nothing. */
    public boolean sound() {
        return chains.whole() && reading.failed() == 0;
    }

    double stepsPerSecond() {
        return perSecond(stored.steps());
    }

    double ratio() {
        return perSecond(stored.entries()) / bare.best().decisionsPerSecond();
    }

    private double perSecond(long count) {
        return count / (measured.toNanos() / 1e9);
    }

    private long batch() {
        return Math.round((double) stored.entries() / Math.max(1, reading.commits()));
    }

    /** One object, for programs. */
    public JsonObject toJson() {
        return JsonObject.builder()
                .put("bench", "sequence")
                .put("seconds", rounded(measured.toNanos() / 1e9))
                .put("inflight", inflight)
                .put("shards", shards)
                .put("steps", stored.steps())
                .put("steps_per_s", rounded(stepsPerSecond()))
                .put("runs_per_s", rounded(perSecond(stored.runs())))
                .put("decisions_per_s", rounded(perSecond(stored.entries())))
                .put("run_ms", quantiles(reading.runs()))
                .put("decision_ms", quantiles(reading.decisions()))
                .put("commits_per_s", rounded(perSecond(reading.commits())))
                .put("decisions_per_commit", batch())
                .put("bytes_per_entry", entryBytes())
                .put("handler_calls", handlerCalls)
                .put("runs_failed", reading.failed())
                .put("bare_decisions_per_s", rounded(bare.best().decisionsPerSecond()))
                .put("bare_at_engine_batch", bare(bare.atEngineBatch()))
                .put(
                        "bare",
                        new JsonArray(bare.results().stream()
                                .map(result -> (JsonValue) bare(result))
                                .toList()))
                .put("ratio", rounded(ratio()))
                .put("verified_runs", chains.runs())
                .put("verified_events", chains.events())
                .put("chains_whole", chains.whole())
                .put("environment", environment())
                .build();
    }

    private long entryBytes() {
        return stored.bytes() / Math.max(1, stored.entries());
    }

    private static JsonObject bare(BareLoop.Result result) {
        return JsonObject.builder()
                .put("shards", result.settings().shards())
                .put("batch", result.settings().batch())
                .put("decisions_per_s", rounded(result.decisionsPerSecond()))
                .put("commit_p50_ms", rounded(result.p50().toNanos() / 1e6))
                .put("commit_p95_ms", rounded(result.p95().toNanos() / 1e6))
                .build();
    }

    private static JsonObject quantiles(Histogram micros) {
        JsonObject.Builder all = JsonObject.builder();
        for (double quantile : QUANTILES) {
            all.put("p" + (int) quantile, rounded(micros.getValueAtPercentile(quantile) / 1e3));
        }
        return all.put("count", micros.getTotalCount()).build();
    }

    private static JsonObject environment() {
        return JsonObject.builder()
                .put("cores", Runtime.getRuntime().availableProcessors())
                .put("heap_mb", Runtime.getRuntime().maxMemory() >> 20)
                .put("java", Runtime.version().toString())
                .put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                .build();
    }

    private static JsonNumber rounded(double value) {
        return JsonNumber.of(Math.round(value * 100) / 100.0);
    }

    /** A few lines, for people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,.0f steps/s   %,.0f runs/s   (%,d steps in %.0f s, %d runs in flight, %d shards)",
                stepsPerSecond(),
                perSecond(stored.runs()),
                stored.steps(),
                measured.toNanos() / 1e9,
                inflight,
                shards));
        lines.add("");
        lines.add("                 p50       p95       p99");
        lines.add(latency("run of 5 steps", reading.runs()));
        lines.add(latency("decision", reading.decisions()));
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "engine           %,.0f decisions/s, %d to a commit, %d bytes each",
                perSecond(stored.entries()),
                batch(),
                entryBytes()));
        for (BareLoop.Result result : bare.results()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "bare loop        %,.0f decisions/s, %d to a commit, %d shards%s",
                    result.decisionsPerSecond(),
                    result.settings().batch(),
                    result.settings().shards(),
                    result.equals(bare.best()) ? "   best" : ""));
        }
        lines.add(String.format(Locale.ROOT, "engine ÷ bare    %.0f %%", ratio() * 100));
        lines.add("");
        lines.add(
                chains.whole()
                        ? String.format(
                                Locale.ROOT, "%,d chains of %,d events verified", chains.runs(), chains.events())
                        : "BROKEN CHAIN: " + chains.fault());
        if (reading.failed() > 0) {
            lines.add(reading.failed() + " RUNS FAILED");
        }
        return lines;
    }

    private static String latency(String what, Histogram micros) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-14s", what));
        for (double quantile : QUANTILES) {
            line.append(String.format(Locale.ROOT, "%7.1f ms", micros.getValueAtPercentile(quantile) / 1e3));
        }
        return line.toString();
    }
}
