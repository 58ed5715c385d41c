package dev.flowstone.server.metric;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.List;

/** The process itself, in the names that dashboards know. Nothing is looked at before somebody asks. */
public final class ProcessGauges {
    private ProcessGauges() {}

    public static void addTo(Meters meters) {
        meters.add(new Gauges(
                "process_start_time_seconds",
                "When the process began, since 1970.",
                sink -> sink.is(ManagementFactory.getRuntimeMXBean().getStartTime() / 1_000.0)));
        meters.add(new Gauges("jvm_memory_used_bytes", "Memory in use.", ProcessGauges::used, "area"));
        meters.add(new Gauges(
                "jvm_memory_max_bytes",
                "The most that may be used.",
                sink -> sink.is((double) Runtime.getRuntime().maxMemory(), "heap"),
                "area"));
        meters.add(new Gauges(
                "jvm_threads_current",
                "Platform threads.",
                sink -> sink.is(ManagementFactory.getThreadMXBean().getThreadCount())));
        meters.add(new Gauges(
                "flowstone_gc_pause_seconds",
                "Spent collecting garbage since the start.",
                ProcessGauges::collected,
                "gc"));
    }

    private static void used(Gauges.Sink sink) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        MemoryUsage other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
        sink.is((double) heap.getUsed(), "heap");
        sink.is((double) other.getUsed(), "nonheap");
    }

    private static void collected(Gauges.Sink sink) {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        collectors.forEach(it -> sink.is(Math.max(0, it.getCollectionTime()) / 1_000.0, it.getName()));
    }
}
