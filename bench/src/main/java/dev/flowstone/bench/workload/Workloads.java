package dev.flowstone.bench.workload;

import java.util.List;
import java.util.Optional;

/** Every workload, in the order of the table. */
public final class Workloads {
    private static final List<Workload> ALL = List.of(
            StepWorkload.sequence(),
            new FewInFlight("sequence-8", 8),
            StepWorkload.fanOut(),
            new RestStart(),
            RestOutside.approve(),
            RestOutside.signal(),
            new RemoteWorkload(),
            new TimerWorkload(),
            new ResumeWorkload(),
            new PayloadWorkload(),
            new SnapshotWorkload(),
            new FullWorkload());

    private Workloads() {}

    public static List<Workload> all() {
        return ALL;
    }

    public static Optional<Workload> named(String name) {
        return ALL.stream().filter(workload -> workload.name().equals(name)).findFirst();
    }
}
