package dev.flowstone.server.metric;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.function.Consumer;

/** Values of one name that are looked up when somebody asks. */
final class Gauges implements Family {
    private final String name;
    private final String help;
    private final List<String> labels;
    private final Consumer<Sink> source;

    /**
     * Gauges.
     *
     * @param source tells the values, each combination of labels once
     */
    Gauges(String name, String help, Consumer<Sink> source, String... labels) {
        this.name = name;
        this.help = help;
        this.source = source;
        this.labels = List.of(labels);
    }

    /** Takes one value. */
    @FunctionalInterface
    interface Sink {
        void is(double value, String... labels);
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
        GaugeSnapshot.Builder all = GaugeSnapshot.builder().name(name).help(help);
        source.accept((value, values) -> all.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(Family.labels(labels, List.of(values)))
                .value(value)
                .build()));
        return all.build();
    }
}
