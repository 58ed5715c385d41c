package dev.flowstone.bench.workload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.rig.NodeWork;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.json.JsonString;
import java.time.Duration;
import java.util.Optional;

/**
 * What so many nodes made of a window.
 *
 * @param stored in it
 * @param chains of everything that they wrote
 */
record MeasuredNodes(String name, int nodes, Seen seen, StoredCount stored, ChainReport chains) {
    /**
     * What was seen of them meanwhile.
     *
     * @param inflight runs, always so many
     * @param work by their own metrics
     * @param cpu processor time of all nodes
     * @param databaseCpu that of the database; empty if it runs elsewhere
     * @param walBytes that it wrote
     */
    record Seen(
            Window window, int inflight, NodeWork work, Duration cpu, Optional<Duration> databaseCpu, long walBytes) {
        Seen {
            requireNonNull(window);
            requireNonNull(work);
            requireNonNull(cpu);
            requireNonNull(databaseCpu);
        }
    }

    MeasuredNodes {
        requireNonNull(name);
        requireNonNull(seen);
        requireNonNull(stored);
        requireNonNull(chains);
    }

    private double perSecond() {
        return seen.window().perSecond(stored.entries());
    }

    private double micros(Duration all) {
        return all.toNanos() / 1e3 / Math.max(1, stored.entries());
    }

    private double perCommit() {
        return Math.max(
                1, (double) seen.work().decisions() / Math.max(1, seen.work().commits()));
    }

    /** What the model makes of this, on so many cores of this machine. */
    Capacity capacity(double emptyCommitMicros, int shards) {
        return new Capacity(
                Math.max(1e-3, micros(seen.cpu())),
                seen.databaseCpu().map(this::micros).orElse(0.0),
                perCommit(),
                emptyCommitMicros,
                shards,
                Runtime.getRuntime().availableProcessors());
    }

    /** Beside what a model, with parameters that may be those of another number of nodes, says of so many. */
    MeasuredReport report(Capacity model) {
        Capacity own = capacity(model.emptyCommitMicros(), model.shards());
        Capacity.Bound bound = model.least(nodes);
        MeasuredReport.Builder report = MeasuredReport.of(name)
                .put("nodes", nodes)
                .rate("decisions_per_s", "decisions", perSecond())
                .rate("model_per_s", "the model's", bound.perSecond())
                .figure("measured_over_model", "measured ÷ model", perSecond() / bound.perSecond())
                .line("its bound             " + bound.name())
                .put("bound", new JsonString(bound.name()))
                .figure("decision_p50_ms", "decision p50, ms", seen.work().latencySeconds(0.5) * 1e3)
                .figure("decision_p95_ms", "decision p95, ms", seen.work().latencySeconds(0.95) * 1e3)
                .figure("e_us", "e, µs of nodes", own.nodeMicros());
        seen.databaseCpu().ifPresent(_ -> report.figure("p_us", "p, µs of PostgreSQL", own.databaseMicros()));
        report.share("busy", "processors by both", own.busy(perSecond()))
                .figure("w_bytes", "w, bytes of WAL", (double) seen.walBytes() / Math.max(1, stored.entries()))
                .figure("b", "b, to a commit", own.perCommit())
                .figure("a_us", "a, µs", own.emptyCommitMicros())
                .count("shards", "shards", own.shards())
                .count("inflight", "runs in flight", seen.inflight())
                .figure("seconds", "seconds", seen.window().seconds())
                .put("decisions", stored.entries());
        return report.none("runs_ended", "runs ended", seen.work().ended())
                .chains(chains)
                .curve(name, "decisions", seen.window())
                .build();
    }
}
