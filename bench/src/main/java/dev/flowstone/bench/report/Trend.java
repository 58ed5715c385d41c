package dev.flowstone.bench.report;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import java.util.List;
import java.util.Locale;

/**
 * Where something goes over time: the straight line that fits its points best.
 *
 * @param from where that begins
 * @param to where it ends
 * @param mean of all points
 */
public record Trend(String label, double from, double to, double mean) {
    /** A change by more than this share of the mean, over the time that was looked at, isn't flat. */
    private static final double FLAT = 0.1;

    public Trend {
        requireNonNull(label);
    }

    /** By the least squares; points are in order of time. */
    public static Trend of(String label, List<Plot.Point> points) {
        double mean = points.stream().mapToDouble(Plot.Point::value).average().orElse(0);
        double middle = points.stream().mapToDouble(Plot.Point::at).average().orElse(0);
        double square = 0;
        double both = 0;
        for (Plot.Point point : points) {
            square += (point.at() - middle) * (point.at() - middle);
            both += (point.at() - middle) * (point.value() - mean);
        }
        double slope = square == 0 ? 0 : both / square;
        double first = points.isEmpty() ? 0 : points.getFirst().at();
        double last = points.isEmpty() ? 0 : points.getLast().at();
        return new Trend(label, mean + slope * (first - middle), mean + slope * (last - middle), mean);
    }

    /** By which share of the mean it went up, or down. */
    public double change() {
        return mean == 0 ? 0 : (to - from) / mean;
    }

    public boolean flat() {
        return Math.abs(change()) <= FLAT;
    }

    String word() {
        return flat() ? "flat" : change() > 0 ? "GROWS" : "falls";
    }

    public String line() {
        return String.format(
                Locale.ROOT, "%-34s %,10.1f %,10.1f  %+6.1f %%  %s", label, from, to, change() * 100, word());
    }

    public JsonObject toJson() {
        return JsonObject.builder()
                .put("from", Figures.rounded(from))
                .put("to", Figures.rounded(to))
                .put("change", Figures.rounded(change()))
                .put("verdict", word().toLowerCase(Locale.ROOT))
                .build();
    }
}
