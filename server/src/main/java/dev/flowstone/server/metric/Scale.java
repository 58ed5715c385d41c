package dev.flowstone.server.metric;

import java.util.Arrays;

/** The upper bounds of a histogram's buckets, the last of which has none. Amounts are whole numbers of a small unit. */
final class Scale {
    private static final double NANO = 1e-9;

    /** Of what ought to take milliseconds. */
    static final Scale QUICK =
            seconds(0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60);

    /** Of an evaluation, which ought to take microseconds. */
    static final Scale TINY = seconds(0.000_005, 0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_5, 0.001, 0.01, 0.1, 1);

    /** Of runs and of people: from a moment to a quarter of a year. */
    static final Scale LONG = seconds(
            0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 259_200, 604_800, 2_592_000,
            7_776_000);

    /** Of how many things come together. */
    static final Scale SIZES = new Scale(1, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000);

    private final double unit;
    private final long[] bounds;
    private final double[] shown;

    private Scale(double unit, double... bounds) {
        this.unit = unit;
        this.bounds = Arrays.stream(bounds)
                .mapToLong(bound -> Math.round(bound / unit))
                .toArray();
        this.shown = Arrays.copyOf(bounds, bounds.length + 1);
        shown[bounds.length] = Double.POSITIVE_INFINITY;
    }

    /** Amounts are nanoseconds, and shown as seconds. */
    private static Scale seconds(double... bounds) {
        return new Scale(NANO, bounds);
    }

    int buckets() {
        return shown.length;
    }

    int bucket(long amount) {
        int i = 0;
        while (i < bounds.length && amount > bounds[i]) {
            i++;
        }
        return i;
    }

    double[] shown() {
        return shown.clone();
    }

    /** What one of an amount's units is as it is shown. */
    double unit() {
        return unit;
    }
}
