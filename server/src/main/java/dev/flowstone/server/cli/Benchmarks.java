package dev.flowstone.server.cli;

import dev.flowstone.bench.DecideBenchmark;
import dev.flowstone.bench.DecideSizes;
import dev.flowstone.bench.peer.Peers;
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
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** The seam to the bench module: every benchmark by its name. */
final class Benchmarks {
    static final String DECIDE = "decide";
    static final String ALL = "all";

    /** What peers are measured beside. */
    private static final String BESIDE = "sequence";

    /** Calls in which that is measured. */
    static final List<String> COMPARED = List.of(ALL, BESIDE);

    /** Those that can be offered a rate instead of being kept busy. */
    private static final Set<String> RATED = Set.of("sequence", "fan-out", "remote", "soak", "tenants", "webhooks");

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
        names.addAll(Workloads.names());
        return names;
    }

    /** Is told how a call with many measurements goes. */
    interface Listener {
        /** One begins, the n-th of so many. */
        void begins(String name, int number, int of);

        /** One is over; what was found so far, that one's report last. */
        void found(Summary sofar) throws IOException;
    }

    /** Each of its five parts is warmed up for as long as it is measured. */
    static Report decide(Duration measure, Consumer<String> progress) {
        return new DecideBenchmark(measure.dividedBy(10), DecideSizes.DEFAULT, progress).run();
    }

    /**
     * Measures one after the other on a server of its own; peers right after a sequence.
     *
     * @param pooled whether through a PgBouncer
     */
    static Summary measure(
            FlowstoneConfig config,
            boolean pooled,
            List<Workload> workloads,
            BenchOptions options,
            Optional<Peers> peers,
            Consumer<String> progress,
            Listener listener)
            throws Exception {
        try (Stop stop = new Stop()) {
            BenchServer server = stop.opening(() -> BenchServer.open(config.database(), pooled));
            JsonObject environment = Environment.of(ServerFacts.of(server.direct()), pooled, Instant.now());
            if (options.inEarnest()) {
                server.prepare(progress);
            }
            List<Report> reports = new ArrayList<>();
            for (Workload workload : workloads) {
                Consumer<String> said = text -> progress.accept(workload.name() + ": " + text);
                boolean alone = workloads.size() == 1;
                boolean compared = workload.name().equals(BESIDE) && (!alone || peers.isPresent());
                Bench bench = new Bench(
                        server.config(),
                        new BenchDoor(config, Main.class.getName()),
                        compared ? options.sustained() : options,
                        said);
                listener.begins(workload.name(), workloads.indexOf(workload) + 1, workloads.size());
                reports.add(alone ? workload.run(bench) : whatever(workload.name(), () -> workload.run(bench)));
                listener.found(new Summary(reports, environment));
                if (peers.isPresent() && workload.name().equals(BESIDE)) {
                    Report sequence = reports.getLast();
                    reports.add(whatever("peers", () -> peers.get().beside(sequence, progress)));
                    listener.found(new Summary(reports, environment));
                }
            }
            return new Summary(reports, environment);
        } catch (PostgresOpenException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Of many, one that fails doesn't take with it what the others have found. */
    private static Report whatever(String name, Callable<Report> measurement) throws InterruptedException {
        try {
            return measurement.call();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return MeasuredReport.failed(name, e);
        }
    }
}
