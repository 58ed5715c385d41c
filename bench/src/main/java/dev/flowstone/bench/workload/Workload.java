package dev.flowstone.bench.workload;

import dev.flowstone.bench.report.Report;

/** One row of the table. */
public interface Workload {
    String name();

    /** Makes a database of its own, measures, verifies every chain, and measures the bare loop on the same server. */
    Report run(Bench bench) throws Exception;
}
