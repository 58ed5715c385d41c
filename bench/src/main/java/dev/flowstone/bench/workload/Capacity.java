package dev.flowstone.bench.workload;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import java.util.List;

/**
 * The model of {@code docs/scale.md}, for nodes and a database that share one machine's cores: how many decisions a second they may
 * make at most.
 *
 * @param nodeMicros {@code e}: processor time of a node by the decision
 * @param databaseMicros {@code p}: that of the database; 0 if it takes none here
 * @param perCommit {@code b}: decisions to a commit
 * @param emptyCommitMicros {@code a}: time of a commit of next to nothing
 * @param shards {@code S}
 * @param cores of the machine
 */
record Capacity(
        double nodeMicros, double databaseMicros, double perCommit, double emptyCommitMicros, int shards, int cores) {
    private static final double SECOND = 1e6;

    Capacity {
        if (!(nodeMicros > 0 && databaseMicros >= 0 && perCommit > 0 && emptyCommitMicros >= 0)
                || shards < 1
                || cores < 1) {
            throw new IllegalArgumentException("nothing is done for nothing");
        }
    }

    /**
     * One of the things that bound a rate.
     *
     * @param perSecond decisions, at most
     */
    record Bound(String name, double perSecond) {
        Bound {
            requireNonNull(name);
        }
    }

    /** Whatever bounds so many nodes, one after the other. */
    List<Bound> bounds(int nodes) {
        double each = nodeMicros + databaseMicros;
        return List.of(
                new Bound("the nodes' processors", nodes * cores * SECOND / nodeMicros),
                new Bound("the loops", shards * perCommit * SECOND / (emptyCommitMicros + perCommit * each)),
                new Bound("the database's processors", cores * SECOND / Math.max(1e-9, databaseMicros)),
                new Bound("the processors that all share", cores * SECOND / each));
    }

    /** The one that is reached first. */
    Bound least(int nodes) {
        return bounds(nodes).stream()
                .min(Comparator.comparingDouble(Bound::perSecond))
                .orElseThrow();
    }

    /** Share of the machine's processor time that so many decisions a second take. */
    double busy(double perSecond) {
        return perSecond * (nodeMicros + databaseMicros) / SECOND / cores;
    }
}
