package dev.flowstone.bench.rig;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.flowstone.engine.journal.JournalException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What something cost, or has cost so far: of this process and of a database, the benchmark's own share and the housekeeping's in it.
 *
 * @param nanos of wall time
 * @param processorNanos of this process, on all cores
 * @param allocated bytes of heap
 * @param walBytes of the database server
 * @param calls of shards to the journal
 */
public record Cost(double nanos, double processorNanos, double allocated, double walBytes, double calls) {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Something that is done. */
    @FunctionalInterface
    public interface Deed {
        void run() throws Exception;
    }

    /** Does something; what each of so many parts of it cost. */
    public static Cost of(Rig rig, CountedJournal journal, int parts, Deed deed) throws Exception {
        long wal = wal(rig);
        long calls = journal.calls();
        long allocated = THREADS.getTotalThreadAllocatedBytes();
        long processor = SYSTEM.getProcessCpuTime();
        long begin = System.nanoTime();
        deed.run();
        double nanos = System.nanoTime() - begin;
        double used = SYSTEM.getProcessCpuTime() - processor;
        double bytes = THREADS.getTotalThreadAllocatedBytes() - allocated;
        double asked = journal.calls() - calls;
        return new Cost(nanos / parts, used / parts, bytes / parts, (double) (wal(rig) - wal) / parts, asked / parts);
    }

    /** Of rounds of equal size: of wall times the one in the middle, as bad moments say nothing; of all else the mean. */
    public static Cost ofRounds(List<Cost> rounds) {
        return new Cost(
                median(rounds, Cost::nanos),
                mean(rounds, Cost::processorNanos),
                mean(rounds, Cost::allocated),
                mean(rounds, Cost::walBytes),
                mean(rounds, Cost::calls));
    }

    private static double mean(List<Cost> costs, ToDoubleFunction<Cost> value) {
        return costs.stream().mapToDouble(value).average().orElse(0);
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> value) {
        double[] sorted = costs.stream().mapToDouble(value).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static long wal(Rig rig) throws JournalException {
        return rig.work().walBytes();
    }
}
