package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.Callers;
import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.bench.rig.NodeWork;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.ServeProcess;
import dev.flowstone.bench.rig.ServeProcesses;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.ServerCpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One, two and three nodes on one database, each a process of its own, beside what the capacity model of {@code docs/scale.md} says of
 * them. Runs are started over REST, evenly at all nodes, and go round a step that does nothing, without end: so many are always in
 * flight, and nobody's calls take processor time while it is measured. A decision counts if it is stored. The model's parameters are
 * those that were measured on one node: what it says of two and three is a prediction.
 */
final class NodesWorkload implements Workload {
    private static final List<Integer> NODES = List.of(1, 2, 3);
    private static final int SHARDS = 6;
    private static final int API_CONNECTIONS = 4;
    private static final int CALLERS = 32;
    private static final int STARTED = 202;
    private static final Duration LAST_START = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "nodes";
    }

    @Override
    public Report run(Bench bench) throws Exception {
        Path folder = Files.createTempDirectory("flowstone-nodes");
        try {
            NodeCertificates certificates = NodeCertificates.in(folder);
            List<MeasuredNodes> all = new ArrayList<>();
            for (int nodes : NODES) {
                all.add(measured(nodes, certificates, bench));
            }
            double empty = emptyCommitMicros(all.getFirst(), bench);
            Capacity model = all.getFirst().capacity(empty, SHARDS);
            List<MeasuredReport> parts =
                    all.stream().map(one -> one.report(model)).toList();
            return MeasuredReport.joined(name(), "parts", parts);
        } finally {
            delete(folder);
        }
    }

    /** With as many connections for each node as it may have loops. */
    private static PostgresConfig server(Bench bench) {
        return bench.server().withShards(SHARDS).withConnections(SHARDS, API_CONNECTIONS);
    }

    private static MeasuredNodes measured(int count, NodeCertificates certificates, Bench bench) throws Exception {
        try (Rig rig = Rig.on(server(bench))) {
            StartRequest request = rig.publish(Definitions.echoes());
            MeasuredNodes.Seen seen;
            try (ServeProcesses nodes =
                    ServeProcesses.start(count, bench.http().commandLine(), rig.config(), certificates)) {
                bench.tell(said(count) + ": sharing shards");
                nodes.awaitShares(SHARDS);
                Watch watch = new Watch(
                        new LoadMeter(),
                        () -> nodes.work().decisions(),
                        "decisions",
                        rig.ports().clock(),
                        bench.progress());
                int inflight = start(nodes, request, watch, bench);
                watch.hold(bench.options().warmUp(), said(count) + ", warming up");
                seen = seen(rig, nodes, watch, inflight, bench);
            }
            bench.tell("verifying every chain");
            Window window = seen.window();
            return new MeasuredNodes(
                    said(count), count, seen, StoredCount.of(rig.entries(), window.from(), window.to()), rig.verify());
        }
    }

    private static MeasuredNodes.Seen seen(Rig rig, ServeProcesses nodes, Watch watch, int inflight, Bench bench)
            throws Exception {
        Optional<ServerCpu> server = ServerCpu.of(rig.config());
        NodeWork before = nodes.work();
        long wal = rig.work().walBytes();
        Duration own = nodes.cpu();
        Optional<Duration> databases = server.map(ServerCpu::soFar);
        Window window = watch.hold(bench.options().measure(), said(nodes.count()));
        Optional<Duration> databasesAfter = server.map(ServerCpu::soFar);
        Duration ownAfter = nodes.cpu();
        return new MeasuredNodes.Seen(
                window,
                inflight,
                nodes.work().since(before),
                ownAfter.minus(own),
                databasesAfter.map(after -> after.minus(databases.orElseThrow())),
                rig.work().walBytes() - wal);
    }

    private static String said(int nodes) {
        return nodes == 1 ? "one node" : nodes + " nodes";
    }

    /** Lets callers start runs at every node, as many at each; how many there are then. */
    private static int start(ServeProcesses nodes, StartRequest request, Watch watch, Bench bench) throws Exception {
        // Of a single call callers make as many as they can.
        int each = Math.max(2, bench.options().givenOrMiddling() / nodes.count());
        List<Callers.Request> calls = Collections.nCopies(each, CallLoad.start(request, "{\"trigger\": {}}"));
        for (ServeProcess node : nodes.all()) {
            try (Callers callers = Callers.start(
                    node.port(), Callers.Shape.closed(Math.min(each, CALLERS)), calls, STARTED, (_, _) -> {})) {
                watch.hold(LAST_START, "starting runs", callers::isOver);
                callers.end();
                callers.requireSound();
                if (callers.accepted() != each) {
                    throw new IllegalStateException(callers.accepted() + " of " + each + " runs were started");
                }
            }
            node.requireAlive();
        }
        return each * nodes.count();
    }

    /** A commit of a single decision is as near to one of none as a commit can be. */
    private static double emptyCommitMicros(MeasuredNodes one, Bench bench) throws Exception {
        BareComparison.Engine single =
                new BareComparison.Engine(1, 1, Math.max(1, one.stored().entryBytes()), Definitions.SEQUENCE_STEPS + 1);
        return BareComparison.measure(
                                bench.server(),
                                single,
                                List.of(),
                                bench.options().bare(),
                                bench.progress())
                        .atEngineBatch()
                        .p50()
                        .toNanos()
                / 1e3;
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
