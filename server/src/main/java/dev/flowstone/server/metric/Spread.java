package dev.flowstone.server.metric;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Histograms of one name: how times, or other amounts, are spread. Thread-safe. */
final class Spread implements Family {
    private final String name;
    private final String help;
    private final Scale scale;
    private final List<String> labels;
    private final Cells<Cell> cells;

    Spread(String name, String help, Scale scale, int most, String... labels) {
        this.name = name;
        this.help = help;
        this.scale = scale;
        this.labels = List.of(labels);
        this.cells = new Cells<>(labels.length, most, () -> new Cell(scale));
        if (labels.length == 0) {
            cells.cell();
        }
    }

    /** Made once by who adds often. */
    Cell cell(String... values) {
        return cells.cell(values);
    }

    void add(Duration took, String... values) {
        cells.cell(values).add(nanos(took));
    }

    /** What an amount of time counts for; what seems to have taken less than nothing, by a clock that was set, is nothing. */
    static long nanos(Duration took) {
        return took.isNegative() ? 0 : took.toSeconds() > Integer.MAX_VALUE ? Long.MAX_VALUE / 2 : took.toNanos();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> labels() {
        return labels;
    }

    @Override
    public MetricSnapshot snapshot() {
        HistogramSnapshot.Builder all = HistogramSnapshot.builder().name(name).help(help);
        cells.forEach((values, cell) -> all.dataPoint(HistogramDataPointSnapshot.builder()
                .labels(Family.labels(labels, values))
                .classicHistogramBuckets(ClassicHistogramBuckets.of(scale.shown(), cell.counts()))
                .sum(cell.sum.sum() * scale.unit())
                .build()));
        return all.build();
    }

    /** Of one combination of labels. */
    static final class Cell {
        private final Scale scale;
        private final AtomicLongArray buckets;
        private final LongAdder sum = new LongAdder();

        private Cell(Scale scale) {
            this.scale = scale;
            this.buckets = new AtomicLongArray(scale.buckets());
        }

        void add(long amount) {
            buckets.getAndIncrement(scale.bucket(amount));
            sum.add(amount);
        }

        /** Adds all that a tally on the same scale holds. */
        void add(Tally tally) {
            for (int i = 0; i < buckets.length(); i++) {
                long count = tally.count(i);
                if (count != 0) {
                    buckets.getAndAdd(i, count);
                }
            }
            sum.add(tally.sum());
        }

        private long[] counts() {
            long[] counts = new long[buckets.length()];
            for (int i = 0; i < counts.length; i++) {
                counts[i] = buckets.get(i);
            }
            return counts;
        }
    }

    /** What one thread gathers before it adds it all at once. */
    static final class Tally {
        private final Scale scale;
        private final long[] counts;
        private long sum;

        Tally(Scale scale) {
            this.scale = scale;
            this.counts = new long[scale.buckets()];
        }

        void add(long amount) {
            long positive = Math.max(0, amount);
            counts[scale.bucket(positive)]++;
            sum += positive;
        }

        private long count(int bucket) {
            return counts[bucket];
        }

        private long sum() {
            return sum;
        }
    }
}
