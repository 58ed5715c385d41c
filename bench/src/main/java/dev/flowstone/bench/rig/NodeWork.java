package dev.flowstone.bench.rig;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What nodes have done, by what they say at {@code /metrics}; what something took is the difference of two.
 *
 * @param decisions durable ones
 * @param commits that made them so
 * @param ended runs that are over
 * @param latencies decisions that took at most so many seconds from their shard's queue to their commit
 */
public record NodeWork(long decisions, long commits, long ended, SortedMap<Double, Long> latencies) {
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)(?: .*)?");
    private static final Pattern BOUND = Pattern.compile("(?:.*,)?le=\"([^\"]+)\".*");

    private static final String DECISIONS = "flowstone_decisions_total";
    private static final String COMMITS = "flowstone_commits_total";
    private static final String ENDED = "flowstone_runs_ended_total";
    private static final String LATENCIES = "flowstone_decision_latency_seconds_bucket";

    /** Nothing yet. */
    public static final NodeWork NOTHING = new NodeWork(0, 0, 0, Collections.emptySortedMap());

    public NodeWork {
        latencies = Collections.unmodifiableSortedMap(new TreeMap<>(latencies));
    }

    /** Of one node, by its answer in Prometheus' text format; what it doesn't say is none. */
    static NodeWork of(String text) {
        Map<String, Long> sums = new TreeMap<>();
        SortedMap<Double, Long> latencies = new TreeMap<>();
        for (String line : text.split("\n", -1)) {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                long value = (long) Double.parseDouble(sample.group(3).replace("Inf", "Infinity"));
                sums.merge(sample.group(1), value, Long::sum);
                if (sample.group(1).equals(LATENCIES)) {
                    latencies.merge(bound(sample.group(2)), value, Long::sum);
                }
            }
        }
        return new NodeWork(
                sums.getOrDefault(DECISIONS, 0L),
                sums.getOrDefault(COMMITS, 0L),
                sums.getOrDefault(ENDED, 0L),
                latencies);
    }

    private static double bound(String labels) {
        Matcher bound = BOUND.matcher(labels);
        if (!bound.matches()) {
            throw new IllegalStateException("a bucket without a bound: " + labels);
        }
        return Double.parseDouble(bound.group(1).replace("+Inf", "Infinity"));
    }

    /** Both together. */
    public NodeWork plus(NodeWork other) {
        return joined(other, 1);
    }

    /** What was done since. */
    public NodeWork since(NodeWork before) {
        return joined(before, -1);
    }

    private NodeWork joined(NodeWork other, int sign) {
        SortedMap<Double, Long> all = new TreeMap<>(latencies);
        other.latencies.forEach((bound, count) -> all.merge(bound, sign * count, Long::sum));
        return new NodeWork(
                decisions + sign * other.decisions, commits + sign * other.commits, ended + sign * other.ended, all);
    }

    /** Within which time so large a share of the decisions was durable: between a bucket's bounds as if they were spread evenly. */
    public double latencySeconds(double share) {
        long all = latencies.isEmpty() ? 0 : latencies.sequencedValues().getLast();
        double wanted = share * all;
        double lower = 0;
        long below = 0;
        for (Map.Entry<Double, Long> bucket : latencies.entrySet()) {
            if (bucket.getValue() >= wanted && bucket.getValue() > below) {
                double within = (wanted - below) / (bucket.getValue() - below);
                return bucket.getKey().isInfinite() ? lower : lower + within * (bucket.getKey() - lower);
            }
            lower = bucket.getKey();
            below = bucket.getValue();
        }
        return 0;
    }
}
