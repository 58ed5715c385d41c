package dev.flowstone.server.metric;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counters of one name: they only grow, from the start of the process. Thread-safe. */
final class Counts implements Family {
    private static final String SUFFIX = "_total";

    private final String name;
    private final String help;
    private final List<String> labels;
    private final Cells<LongAdder> cells;

    Counts(String name, String help, int most, String... labels) {
        if (!name.endsWith(SUFFIX)) {
            throw new IllegalArgumentException("a counter's name ends with " + SUFFIX);
        }
        this.name = name;
        this.help = help;
        this.labels = List.of(labels);
        this.cells = new Cells<>(labels.length, most, LongAdder::new);
        if (labels.length == 0) {
            // What never happened shows as zero, so that rates begin there.
            cells.cell();
        }
    }

    /** Shows it as zero until it happens, so that rates begin there. */
    void show(String... values) {
        cells.cell(values);
    }

    void add(long count, String... values) {
        if (count != 0) {
            cells.cell(values).add(count);
        }
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
        CounterSnapshot.Builder all = CounterSnapshot.builder()
                .name(name.substring(0, name.length() - SUFFIX.length()))
                .help(help);
        cells.forEach((values, sum) -> all.dataPoint(CounterDataPointSnapshot.builder()
                .labels(Family.labels(labels, values))
                .value((double) sum.sum())
                .build()));
        return all.build();
    }
}
