package dev.flowstone.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.report.Report;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.PostgresPorts;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Short forms of workloads on a database server of their own, and what holds for every report. */
final class ShortWorkloads implements AutoCloseable {
    static final BenchSizes SIZES = BenchSizes.SHORT;

    private final EmbeddedPostgres server;
    private final Queue<String> progress = new ConcurrentLinkedQueue<>();

    private ShortWorkloads(EmbeddedPostgres server) {
        this.server = server;
    }

    /** Every database that is made there has the schema from its beginning on: a workload makes two or three. */
    static ShortWorkloads in(Path data) throws Exception {
        EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(data));
        PostgresPorts.open(server.config().withDatabase("template1")).close();
        return new ShortWorkloads(server);
    }

    /** Long enough for each figure to be one; how large it is says nothing. */
    static BenchOptions options() {
        return seconds(1);
    }

    /** The same for what takes its time to be seen. */
    static BenchOptions seconds(int measured) {
        return BenchOptions.shortest(Duration.ofSeconds(measured));
    }

    static double number(JsonObject json, String name) {
        return json.get(name) instanceof JsonNumber number ? number.doubleValue() : Double.NaN;
    }

    /** The report of one, which is sound. */
    JsonObject run(String name, BenchOptions options) throws Exception {
        progress.clear();
        Bench bench = new Bench(
                server.config(),
                (ports, observer) -> {
                    throw new IllegalStateException("nothing is called over HTTP here");
                },
                options,
                progress::add);
        Report report = Workloads.named(name).orElseThrow().run(bench);

        assertTrue(report.sound(), () -> report.toJson().toString());
        assertEquals(name, report.name());
        assertFalse(report.curves().isEmpty(), name);
        assertFalse(report.curves().getFirst().samples().isEmpty(), name);
        assertFalse(report.lines().isEmpty(), name);
        return report.toJson();
    }

    /** What the last one told while it went on. */
    Queue<String> progress() {
        return progress;
    }

    @Override
    public void close() {
        server.close();
    }
}
