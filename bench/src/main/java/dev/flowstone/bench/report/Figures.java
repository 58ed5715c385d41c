package dev.flowstone.bench.report;

import dev.flowstone.bench.rig.Cost;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.postgres.BareLoop;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** How figures are written: rounded to hundredths in JSON, with thousands parted for people. */
public final class Figures {
    private static final double[] QUANTILES = {50, 95, 99};

    private Figures() {}

    public static JsonNumber rounded(double value) {
        return JsonNumber.of(Math.round(value * 100) / 100.0);
    }

    /** Latencies of a histogram of microseconds, in milliseconds. */
    public static JsonObject quantiles(Histogram micros) {
        JsonObject.Builder all = JsonObject.builder();
        for (double quantile : QUANTILES) {
            all.put("p" + (int) quantile, rounded(micros.getValueAtPercentile(quantile) / 1e3));
        }
        return all.put("max", rounded(micros.getMaxValue() / 1e3))
                .put("count", micros.getTotalCount())
                .build();
    }

    public static JsonObject cost(Cost cost) {
        return JsonObject.builder()
                .put("ms", rounded(cost.nanos() / 1e6))
                .put("processor_us", rounded(cost.processorNanos() / 1e3))
                .put("allocated_bytes", rounded(cost.allocated()))
                .put("wal_bytes", rounded(cost.walBytes()))
                .put("journal_calls", rounded(cost.calls()))
                .build();
    }

    static JsonObject bare(BareLoop.Result result) {
        return JsonObject.builder()
                .put("shards", result.settings().shards())
                .put("batch", result.settings().batch())
                .put("decisions_per_s", rounded(result.decisionsPerSecond()))
                .put("commit_p50_ms", rounded(result.p50().toNanos() / 1e6))
                .put("commit_p95_ms", rounded(result.p95().toNanos() / 1e6))
                .build();
    }

    static JsonArray bares(List<BareLoop.Result> results) {
        return new JsonArray(
                results.stream().map(result -> (JsonValue) bare(result)).toList());
    }

    static String quantileHeads() {
        return " ".repeat(28) + "p50       p95       p99       max";
    }

    static String quantileLine(String what, Histogram micros) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-22s", what));
        for (double quantile : QUANTILES) {
            line.append(millis(micros.getValueAtPercentile(quantile)));
        }
        return line.append(millis(micros.getMaxValue())).toString();
    }

    private static String millis(long micros) {
        return String.format(Locale.ROOT, "%7.1f ms", micros / 1e3);
    }
}
