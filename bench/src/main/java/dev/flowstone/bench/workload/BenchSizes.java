package dev.flowstone.bench.workload;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How much there is of everything.
 *
 * @param callers over HTTP, at once
 * @param neighbours callers beside a flood
 * @param floodConnections that bring it
 * @param outside runs that wait for somebody outside
 * @param timersPerSecond due, steadily
 * @param storm timers due in one second
 * @param resumed runs whose input is buffered in one shard
 * @param inputs buffered for each of them
 * @param payloads bytes that each step answers, one measurement each
 * @param finished runs that are over, in a database that is full
 * @param waiting runs that wait there; also the most of those beside which a sequence is measured
 * @param events of one very long run
 * @param elements of one very wide run
 */
public record BenchSizes(
        int callers,
        int neighbours,
        int floodConnections,
        int outside,
        int timersPerSecond,
        int storm,
        int resumed,
        int inputs,
        List<Integer> payloads,
        int finished,
        int waiting,
        int events,
        int elements) {
    public static final BenchSizes DEFAULT = new BenchSizes(
            256,
            8,
            2_000,
            120_000,
            1_000,
            100_000,
            5_000,
            10,
            List.of(1 << 10, 64 << 10, 1 << 20),
            1_000_000,
            100_000,
            100_000,
            10_000);

    private static final int LEAST_STEP = 10;

    /** The shape of each workload, and none of its weight. */
    public static final BenchSizes SHORT =
            new BenchSizes(4, 2, 20, 60, 50, 200, 20, 4, List.of(1 << 10, 64 << 10), 400, 60, 600, 200);

    public BenchSizes {
        payloads = List.copyOf(payloads);
        if (callers < 1
                || neighbours < 1
                || floodConnections < 1
                || outside < 1
                || timersPerSecond < 1
                || storm < 1
                || resumed < 1
                || inputs < 1
                || finished < 0
                || waiting < 0
                || events < 1
                || elements < 1) {
            throw new IllegalArgumentException("sizes are at least 1, and of runs in a full database at least 0");
        }
    }

    public BenchSizes withStorm(int timers) {
        return new BenchSizes(
                callers,
                neighbours,
                floodConnections,
                outside,
                timersPerSecond,
                timers,
                resumed,
                inputs,
                payloads,
                finished,
                waiting,
                events,
                elements);
    }

    public BenchSizes withFull(int finishedRuns, int waitingRuns) {
        return new BenchSizes(
                callers,
                neighbours,
                floodConnections,
                outside,
                timersPerSecond,
                storm,
                resumed,
                inputs,
                payloads,
                finishedRuns,
                waitingRuns,
                events,
                elements);
    }

    public BenchSizes withFlat(int runEvents, int runElements) {
        return new BenchSizes(
                callers,
                neighbours,
                floodConnections,
                outside,
                timersPerSecond,
                storm,
                resumed,
                inputs,
                payloads,
                finished,
                waiting,
                runEvents,
                runElements);
    }

    /** A hundredth of something, a tenth, the half and all of it; steps below ten say nothing and are left out. */
    static List<Integer> steps(int most) {
        return IntStream.of(most / 100, most / 10, most / 2, most)
                .filter(step -> step >= LEAST_STEP || step == most)
                .distinct()
                .boxed()
                .toList();
    }
}
