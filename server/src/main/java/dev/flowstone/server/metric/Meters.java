package dev.flowstone.server.metric;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All families of a process, and their text. Thread-safe. */
public final class Meters {
    /** Combinations of labels of a family whose values users make. */
    static final int MOST = 200;

    private final List<Family> families = new CopyOnWriteArrayList<>();

    <F extends Family> F add(F family) {
        families.add(family);
        return family;
    }

    List<Family> families() {
        return List.copyOf(families);
    }

    /** What a scrape gets. */
    public record Text(String mediaType, String text) {}

    /**
     * As it is now, in the format that is wanted: Prometheus' or OpenMetrics'.
     *
     * @param accept the header's value; empty for Prometheus' own
     */
    public Text text(String accept) {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        families.forEach(family -> all.metricSnapshot(family.snapshot()));
        ExpositionFormats formats = ExpositionFormats.init();
        ExpositionFormatWriter writer = accept.contains("application/openmetrics-text")
                ? formats.getOpenMetricsTextFormatWriter()
                : formats.getPrometheusTextFormatWriter();
        ByteArrayOutputStream out = new ByteArrayOutputStream(16 << 10);
        try {
            writer.write(out, all.build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Text(writer.getContentType(), out.toString(StandardCharsets.UTF_8));
    }
}
