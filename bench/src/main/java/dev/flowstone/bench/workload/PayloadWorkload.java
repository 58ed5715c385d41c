package dev.flowstone.bench.workload;

import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import java.util.ArrayList;
import java.util.List;

/** The same sequence with small, middling and large answers: what the size of a payload costs. */
final class PayloadWorkload implements Workload {
    /** Answers that may be under way at once, in bytes, so that heap is no part of what is measured. */
    private static final int UNDER_WAY = 64 << 20;

    @Override
    public String name() {
        return "payload";
    }

    @Override
    public Report run(Bench bench) throws Exception {
        List<MeasuredReport> parts = new ArrayList<>();
        for (int bytes : bench.options().sizes().payloads()) {
            StepWorkload workload = StepWorkload.answering("payload of " + (bytes >> 10) + " KiB", bytes);
            parts.add(workload.run(bench.with(bench.options().withTrials(trials(bench.options(), bytes)))));
        }
        return MeasuredReport.joined(name(), "payloads", parts);
    }

    private static List<Integer> trials(BenchOptions options, int bytes) {
        int most = Math.max(1, UNDER_WAY / bytes);
        List<Integer> fitting =
                options.trials().stream().filter(runs -> runs <= most).toList();
        return fitting.isEmpty() ? List.of(most) : fitting;
    }
}
