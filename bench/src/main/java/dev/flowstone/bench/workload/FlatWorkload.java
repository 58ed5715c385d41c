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
                name(),
                "parts",
                List.of(
                        part("long run", LongRun::measure, bench),
                        part("waiting runs", WaitingRuns::measure, bench),
                        part("wide runs", WideRuns::measure, bench)));
    }

    private interface Part {
        MeasuredReport measure(Bench bench) throws Exception;
    }

    /** One that fails doesn't take with it what the others have found. */
    private static MeasuredReport part(String name, Part part, Bench bench) throws InterruptedException {
        try {
            return part.measure(bench);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return MeasuredReport.failed(name, e);
        }
    }
}
