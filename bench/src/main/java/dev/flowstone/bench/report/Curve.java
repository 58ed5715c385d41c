package dev.flowstone.bench.report;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.load.Sample;
import java.util.List;

/**
 * Throughput and latency over time.
 *
 * @param title of the picture
 * @param unit of what was done
 */
public record Curve(String title, String unit, List<Sample> samples) {
    public Curve {
        requireNonNull(title);
        requireNonNull(unit);
        samples = List.copyOf(samples);
    }
}
