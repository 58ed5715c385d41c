package dev.flowstone.bench.workload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.Definition;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Runs of large JSON DAGs (dataflow.md §16.4): 1,000 nodes one after another, 1,000 of which 998 lie beside each other, and 50 workflows
 * of 100 nodes in turns, as many in flight. In the short form graphs have as many nodes as a wide run has elements.
 *
 * @param inflight runs, unless something else is asked for
 */
record GraphWorkload(String name, int inflight, Function<Integer, StepWorkload> graph) implements Workload {
    private static final int NODES = 1_000;
    private static final int WORKFLOWS = 50;
    private static final int STAGES = 10;

    GraphWorkload {
        requireNonNull(name);
        requireNonNull(graph);
    }

    static GraphWorkload deep() {
        return new GraphWorkload(
                "dag-deep",
                4,
                nodes -> new StepWorkload("dag-deep", List.of(Definitions.deep(nodes)), nodes, nodes + 1, 0));
    }

    static GraphWorkload wide() {
        return new GraphWorkload(
                "dag-wide",
                4,
                nodes -> new StepWorkload("dag-wide", List.of(Definitions.wideGraph(nodes)), nodes, 4, 0));
    }

    static GraphWorkload fifty() {
        List<Definition> workflows = IntStream.rangeClosed(1, WORKFLOWS)
                .mapToObj(i -> Definitions.staged("graph-" + i, STAGES))
                .toList();
        return new GraphWorkload(
                "dag-fifty",
                WORKFLOWS,
                _ -> new StepWorkload("dag-fifty", workflows, STAGES * Definitions.STAGE, 3 * STAGES + 1, 0));
    }

    @Override
    public Report run(Bench bench) throws Exception {
        BenchOptions options = bench.options();
        int nodes = Math.min(NODES, options.sizes().elements());
        boolean asked = options.inflight().isPresent() || options.offered().isPresent();
        return graph.apply(nodes).run(asked ? bench : bench.with(options.withInflight(inflight)));
    }
}
