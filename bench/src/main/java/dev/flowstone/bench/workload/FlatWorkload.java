package dev.flowstone.bench.workload;

import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import java.util.List;

/** What must not grow: a step with its run's length, a sequence with the runs that wait beside it, an element with the others. */
final class FlatWorkload implements Workload {
    @Override
    public String name() {
        return "flat";
    }

    @Override
    public Report run(Bench bench) throws Exception {
        return MeasuredReport.joined(
                name(), "parts", List.of(LongRun.measure(bench), WaitingRuns.measure(bench), WideRuns.measure(bench)));
    }
}
