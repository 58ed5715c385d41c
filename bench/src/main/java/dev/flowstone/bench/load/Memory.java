package dev.flowstone.bench.load;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** This process's memory. */
public final class Memory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";

    private Memory() {}

    /** Bytes of heap that were left after the last collection, whichever it was; 0 if there was none yet. */
    public static long heapAfterCollection() {
        Set<String> heap = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(pool -> pool.getName())
                .collect(Collectors.toSet());
        return ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).stream()
                .map(GarbageCollectorMXBean::getLastGcInfo)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(GcInfo::getEndTime))
                .map(last -> used(last.getMemoryUsageAfterGc(), heap))
                .orElse(0L);
    }

    private static long used(Map<String, MemoryUsage> after, Set<String> heap) {
        return after.entrySet().stream()
                .filter(pool -> heap.contains(pool.getKey()))
                .mapToLong(pool -> pool.getValue().getUsed())
                .sum();
    }

    /** Bytes of heap that live, after a full collection, which stops everything for a moment. */
    public static long liveHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Bytes that the process has in memory, the code and the collector's own included; 0 where nobody says so. */
    public static long resident() {
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(RESIDENT))
                    .map(line -> line.substring(RESIDENT.length()).strip().split(" ", 2)[0])
                    .mapToLong(kilobytes -> Long.parseLong(kilobytes) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
