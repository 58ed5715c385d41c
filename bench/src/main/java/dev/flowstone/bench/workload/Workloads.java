package dev.flowstone.bench.workload;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Every workload; those of one call in the order of the table. */
public final class Workloads {
    private static final List<Workload> ALL = List.of(
            StepWorkload.sequence(),
            new FewInFlight("sequence-8", 8),
            StepWorkload.fanOut(),
            GraphWorkload.deep(),
            GraphWorkload.wide(),
            GraphWorkload.fifty(),
            new RestStart(),
            new WebhookWorkload(),
            RestOutside.approve(),
            RestOutside.signal(),
            new FloodWorkload(),
            new RemoteWorkload(),
            new TimerWorkload(),
            new ResumeWorkload(),
            new PayloadWorkload(),
            new SnapshotWorkload(),
            new FullWorkload(),
            new FlatWorkload());

    /** Those that are measured by themselves, for as long as one likes. */
    private static final List<Workload> LONG =
            List.of(new SoakWorkload(), new TenantsWorkload(), new NodesWorkload(), new SchedulesWorkload());

    private Workloads() {}

    /** All that are measured in one call. */
    public static List<Workload> all() {
        return ALL;
    }

    /** The names of all, also of those that are measured by themselves. */
    public static List<String> names() {
        return everyOne().map(Workload::name).toList();
    }

    public static Optional<Workload> named(String name) {
        return everyOne().filter(workload -> workload.name().equals(name)).findFirst();
    }

    private static Stream<Workload> everyOne() {
        return Stream.concat(ALL.stream(), LONG.stream());
    }
}
