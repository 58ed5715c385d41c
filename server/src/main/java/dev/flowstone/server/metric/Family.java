package dev.flowstone.server.metric;

import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;

/** Metrics of one name, by their labels. */
interface Family {
    /** As Prometheus shows it, with the suffix of its kind. */
    String name();

    List<String> labels();

    /** As it is now. */
    MetricSnapshot snapshot();

    /** The labels with their values, which stand in the order of the names. */
    static Labels labels(List<String> names, List<String> values) {
        return Labels.of(names, values);
    }
}
