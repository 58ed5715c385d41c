package dev.flowstone.server.cli;

import dev.flowstone.bench.SequenceBenchmark;
import dev.flowstone.bench.SequenceOptions;
import dev.flowstone.bench.SequenceReport;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.postgres.PostgresOpenException;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.node.BenchServer;
import dev.flowstone.server.node.CannotStartException;
import java.time.Duration;
import java.util.OptionalInt;

/** The seam to the bench module: finds the benchmark of that name and lets it measure. */
final class Benchmarks {
    private Benchmarks() {}

    static int run(
            String name, FlowstoneConfig config, int seconds, OptionalInt inflight, boolean json, Terminal terminal)
            throws UsageException, CannotStartException, JournalException, InterruptedException {
        if (!name.equals("sequence")) {
            throw new UsageException("there is no benchmark '" + name + "'; there is: sequence");
        }
        try (BenchServer server = BenchServer.open(config.database());
                ProgressLine progress = new ProgressLine(terminal)) {
            SequenceOptions options = SequenceOptions.of(Duration.ofSeconds(seconds), inflight);
            SequenceReport report = new SequenceBenchmark(server.config(), options, progress::show).run();
            progress.clear();
            if (json) {
                terminal.out().println(CanonicalJson.exactText(report.toJson()));
            } else {
                report.lines().forEach(terminal.out()::println);
            }
            return report.sound() ? Exit.SUCCEEDED : Exit.FAILED;
        } catch (PostgresOpenException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }
}
