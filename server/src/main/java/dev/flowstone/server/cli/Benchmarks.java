package dev.flowstone.server.cli;

import dev.flowstone.bench.DecideBenchmark;
import dev.flowstone.bench.DecideReport;
import dev.flowstone.bench.DecideSizes;
import dev.flowstone.bench.SequenceBenchmark;
import dev.flowstone.bench.SequenceOptions;
import dev.flowstone.bench.SequenceReport;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.PostgresOpenException;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.node.BenchServer;
import dev.flowstone.server.node.CannotStartException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The seam to the bench module: every benchmark by its name. */
final class Benchmarks {
    private static final Map<String, Benchmark> ALL =
            new TreeMap<>(Map.of("sequence", Benchmarks::sequence, "decide", Benchmarks::decide));

    private Benchmarks() {}

    /** Measures, prints, and answers the exit code. */
    @FunctionalInterface
    interface Benchmark {
        int run(FlowstoneConfig config, int seconds, OptionalInt inflight, boolean json, Terminal terminal)
                throws Exception;
    }

    static Benchmark named(String name) throws UsageException {
        Benchmark benchmark = ALL.get(name);
        if (benchmark == null) {
            throw new UsageException("there is no benchmark '" + name + "'; there are " + ALL.keySet());
        }
        return benchmark;
    }

    /** Each of its five parts is warmed up for as long as it is measured. */
    private static int decide(
            FlowstoneConfig config, int seconds, OptionalInt inflight, boolean json, Terminal terminal)
            throws Exception {
        if (inflight.isPresent()) {
            throw new UsageException("'bench decide' decides one command at a time; leave --inflight out");
        }
        try (ProgressLine progress = new ProgressLine(terminal)) {
            Duration each = Duration.ofSeconds(seconds).dividedBy(10);
            DecideReport report = new DecideBenchmark(each, DecideSizes.DEFAULT, progress::show).run();
            progress.clear();
            print(report.toJson(), report.lines(), json, terminal);
            return report.sound() ? Exit.SUCCEEDED : Exit.FAILED;
        }
    }

    private static void print(JsonObject report, List<String> lines, boolean json, Terminal terminal) {
        if (json) {
            terminal.out().println(CanonicalJson.exactText(report));
        } else {
            lines.forEach(terminal.out()::println);
        }
    }

    private static int sequence(
            FlowstoneConfig config, int seconds, OptionalInt inflight, boolean json, Terminal terminal)
            throws Exception {
        try (Stop stop = new Stop();
                ProgressLine progress = new ProgressLine(terminal)) {
            BenchServer server = stop.opening(() -> BenchServer.open(config.database()));
            SequenceOptions options = SequenceOptions.of(Duration.ofSeconds(seconds), inflight);
            SequenceReport report = new SequenceBenchmark(server.config(), options, progress::show).run();
            progress.clear();
            print(report.toJson(), report.lines(), json, terminal);
            return report.sound() ? Exit.SUCCEEDED : Exit.FAILED;
        } catch (PostgresOpenException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }
}
