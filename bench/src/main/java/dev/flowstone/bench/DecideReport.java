package dev.flowstone.bench;

import dev.flowstone.bench.report.Curve;
import dev.flowstone.bench.report.Report;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What decisions cost.
 *
 * @param shapes one measurement for each shape of a program
 * @param growth what a step of one long run costs, late in it and early in it
 */
public record DecideReport(List<Shape> shapes, Growth growth) implements Report {
    /** How much more a late step may cost than an early one. */
    public static final double BOUND = 1.5;

    public DecideReport {
        shapes = List.copyOf(shapes);
    }

    /** One shape, run again and again. */
    public record Shape(String name, long runs, long decisions, long nanos, long allocated, long entryBytes) {
        double perSecond() {
            return decisions / (nanos / 1e9);
        }

        long allocatedPerDecision() {
            return allocated / decisions;
        }

        long bytesPerDecision() {
            return entryBytes / decisions;
        }
    }

    /** What a step took the processor and allocated in one round: the first thousand of a run, and late ones of a long run. */
    public record Round(double firstNanos, double lastNanos, long firstAllocated, long lastAllocated) {
        double time() {
            return lastNanos / firstNanos;
        }
    }

    /**
     * Costs of a step early and late, measured in turns. Medians count: a pause of the machine spoils a round, not the
     * judgement.
     *
     * @param steps of the long run, at the end
     */
    public record Growth(long steps, List<Round> rounds) {
        public Growth {
            rounds = List.copyOf(rounds);
            if (rounds.isEmpty()) {
                throw new IllegalArgumentException("nothing was measured");
            }
        }

        double firstNanos() {
            return median(Round::firstNanos);
        }

        double lastNanos() {
            return median(Round::lastNanos);
        }

        long firstAllocated() {
            return (long) median(Round::firstAllocated);
        }

        long lastAllocated() {
            return (long) median(Round::lastAllocated);
        }

        double time() {
            return median(Round::time);
        }

        private double median(ToDoubleFunction<Round> cost) {
            double[] sorted = rounds.stream().mapToDouble(cost).sorted().toArray();
            int middle = sorted.length / 2;
            return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        }

        double allocation() {
            return (double) lastAllocated() / firstAllocated();
        }
    }

    @Override
    public String name() {
        return "decide";
    }

    /** Whether steps cost the same however long the run is: what they allocate, and the time that the processor works on them. */
    @Override
    public boolean sound() {
        return growth.allocation() <= BOUND && growth.time() <= BOUND;
    }

    /** One object, for programs. */
    @Override
    public JsonObject toJson() {
        List<JsonValue> all = new ArrayList<>();
        for (Shape shape : shapes) {
            all.add(JsonObject.builder()
                    .put("shape", shape.name())
                    .put("runs", shape.runs())
                    .put("decisions", shape.decisions())
                    .put("decisions_per_s", rounded(shape.perSecond()))
                    .put("allocated_per_decision", shape.allocatedPerDecision())
                    .put("bytes_per_decision", shape.bytesPerDecision())
                    .build());
        }
        return JsonObject.builder()
                .put("bench", "decide")
                .put("shapes", new JsonArray(all))
                .put(
                        "growth",
                        JsonObject.builder()
                                .put("steps", growth.steps())
                                .put("first_us_per_step", rounded(growth.firstNanos() / 1e3))
                                .put("last_us_per_step", rounded(growth.lastNanos() / 1e3))
                                .put("time_ratio", rounded(growth.time()))
                                .put("first_allocated_per_step", growth.firstAllocated())
                                .put("last_allocated_per_step", growth.lastAllocated())
                                .put("allocation_ratio", rounded(growth.allocation()))
                                .put("bound", rounded(BOUND))
                                .build())
                .build();
    }

    private static JsonNumber rounded(double value) {
        return JsonNumber.of(Math.round(value * 100) / 100.0);
    }

    /** A table, for people. */
    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%-30s %12s %12s %12s", "", "decisions/s", "allocated", "entry bytes"));
        for (Shape shape : shapes) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-30s %,12.0f %,12d %,12d",
                    shape.name(),
                    shape.perSecond(),
                    shape.allocatedPerDecision(),
                    shape.bytesPerDecision()));
        }
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "one run of %,d steps: a step takes %.1f µs and %,d bytes at first, %.1f µs and %,d bytes at last"
                        + " (%.2f×, %.2f×; at most %.1f×)",
                growth.steps(),
                growth.firstNanos() / 1e3,
                growth.firstAllocated(),
                growth.lastNanos() / 1e3,
                growth.lastAllocated(),
                growth.time(),
                growth.allocation(),
                BOUND));
        return lines;
    }

    /** It samples nothing. */
    @Override
    public List<Curve> curves() {
        return List.of();
    }
}
