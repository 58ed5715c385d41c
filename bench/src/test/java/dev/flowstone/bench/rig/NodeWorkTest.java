package dev.flowstone.bench.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class NodeWorkTest {
    private static final String BEFORE = text(10, 2, 4, 10);
    private static final String AFTER = text(110, 12, 84, 110);

    private static String text(int decisions, int commits, int quick, int all) {
        return """
                # HELP flowstone_decisions_total decisions
                # TYPE flowstone_decisions_total counter
                flowstone_decisions_total{outcome="accepted"} %d.0
                flowstone_decisions_total{outcome="rejected"} 3.0
                flowstone_commits_total %d.0
                flowstone_decision_latency_seconds_bucket{le="0.01"} %d
                flowstone_decision_latency_seconds_bucket{le="0.05"} %d
                flowstone_decision_latency_seconds_bucket{le="+Inf"} %d
                flowstone_decision_latency_seconds_sum 1.5E-4
                flowstone_runs_ended_total{tenant="a,b le=\\"1\\"",status="failed"} 1.0
                """.formatted(decisions, commits, quick, all, all);
    }

    @Test
    void readsWhatANodeSaysOfItself() {
        NodeWork work = NodeWork.of(BEFORE);

        assertEquals(13, work.decisions(), "whatever came of them");
        assertEquals(2, work.commits());
        assertEquals(1, work.ended());
        assertEquals(10, work.latencies().get(Double.POSITIVE_INFINITY));
    }

    @Test
    void addsNodesUpAndTellsWhatWasDoneSince() {
        NodeWork before = NodeWork.NOTHING.plus(NodeWork.of(BEFORE)).plus(NodeWork.of(BEFORE));
        NodeWork after = NodeWork.of(AFTER).plus(NodeWork.of(AFTER));

        NodeWork done = after.since(before);

        assertEquals(200, done.decisions());
        assertEquals(20, done.commits());
        assertEquals(0, done.ended());
        assertEquals(160, done.latencies().get(0.01));
    }

    @Test
    void findsAQuantileBetweenTheBoundsOfABucket() {
        NodeWork done = NodeWork.of(AFTER).since(NodeWork.of(BEFORE));

        assertEquals(0.005, done.latencySeconds(0.4), 1e-9);
        assertEquals(0.04, done.latencySeconds(0.95), 1e-9);
        assertEquals(0, NodeWork.NOTHING.latencySeconds(0.95));
    }
}
