package dev.flowstone.bench.workload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.report.Report;

/** The {@code sequence} with a few runs in flight, always so many: how long a run takes where there is hardly anything to do. */
record FewInFlight(String name, int runs) implements Workload {
    FewInFlight {
        requireNonNull(name);
    }

    @Override
    public Report run(Bench bench) throws Exception {
        return StepWorkload.answering(name, 0).run(bench.with(bench.options().withInflight(runs)));
    }
}
