package dev.flowstone.server.cli;

import dev.flowstone.bench.DecideBenchmark;
import dev.flowstone.bench.DecideSizes;
import dev.flowstone.bench.report.Environment;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.report.Summary;
import dev.flowstone.bench.workload.Bench;
import dev.flowstone.bench.workload.BenchOptions;
import dev.flowstone.bench.workload.Workload;
import dev.flowstone.bench.workload.Workloads;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.PostgresOpenException;
import dev.flowstone.postgres.ServerFacts;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.node.BenchDoor;
import dev.flowstone.server.node.BenchServer;
import dev.flowstone.server.node.CannotStartException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The seam to the bench module: every benchmark by its name. */
final class Benchmarks {
    static final String DECIDE = "decide";
    private static final String ALL = "all";

    /** Those that can be offered a rate instead of being kept busy. */
    private static final Set<String> RATED = Set.of("sequence", "fan-out", "remote");

    private Benchmarks() {}

    /** The workloads of that name: one, or every one. Empty for {@code decide}, which needs no database. */
    static List<Workload> named(String name, BenchOptions options) throws UsageException {
        if (options.offered().isPresent() && !RATED.contains(name)) {
            throw new UsageException("--open is for " + String.join(", ", new TreeSet<>(RATED)));
        }
        if (name.equals(ALL)) {
            return Workloads.all();
        }
        if (name.equals(DECIDE)) {
            return List.of();
        }
        return List.of(Workloads.named(name)
                .orElseThrow(() -> new UsageException("there is no benchmark '" + name + "'; there are " + names())));
    }

    private static Set<String> names() {
        Set<String> names = new TreeSet<>(Set.of(ALL, DECIDE));
        Workloads.all().forEach(workload -> names.add(workload.name()));
        return names;
    }

    /** Each of its five parts is warmed up for as long as it is measured. */
    static Report decide(Duration measure, Consumer<String> progress) {
        return new DecideBenchmark(measure.dividedBy(10), DecideSizes.DEFAULT, progress).run();
    }

    /** Measures one after the other on a server of its own; {@code done} is told of each that is over. */
    static Summary measure(
            FlowstoneConfig config,
            List<Workload> workloads,
            BenchOptions options,
            Consumer<String> progress,
            Consumer<Report> done)
            throws Exception {
        try (Stop stop = new Stop()) {
            BenchServer server = stop.opening(() -> BenchServer.open(config.database()));
            JsonObject environment = Environment.of(ServerFacts.of(server.config()), Instant.now());
            if (options.inEarnest()) {
                server.prepare(progress);
            }
            List<Report> reports = new ArrayList<>();
            for (Workload workload : workloads) {
                Consumer<String> said = text -> progress.accept(workload.name() + ": " + text);
                Bench bench = new Bench(server.config(), new BenchDoor(config), options, said);
                Report report = workloads.size() == 1 ? workload.run(bench) : whatever(workload, bench);
                done.accept(report);
                reports.add(report);
            }
            return new Summary(reports, environment);
        } catch (PostgresOpenException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Of many, one that fails doesn't take with it what the others have found. */
    private static Report whatever(Workload workload, Bench bench) throws InterruptedException {
        try {
            return workload.run(bench);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return MeasuredReport.failed(workload.name(), e);
        }
    }
}
