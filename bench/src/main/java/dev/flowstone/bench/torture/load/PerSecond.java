package dev.flowstone.bench.torture.load;

import dev.flowstone.bench.report.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** How often something happened in each second. */
public final class PerSecond {
    private final ConcurrentSkipListMap<Integer, LongAdder> counts = new ConcurrentSkipListMap<>();

    /** Once more, at this time. */
    public void add(double second) {
        counts.computeIfAbsent((int) Math.floor(second), _ -> new LongAdder()).increment();
    }

    public long sum() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** From the beginning to that second, each with its count. */
    public List<Plot.Point> points(double to) {
        List<Plot.Point> points = new ArrayList<>();
        for (int second = 0; second <= to; second++) {
            LongAdder count = counts.get(second);
            points.add(new Plot.Point(second, count == null ? 0 : count.sum()));
        }
        return points;
    }
}
