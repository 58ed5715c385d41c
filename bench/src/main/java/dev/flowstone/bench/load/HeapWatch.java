package dev.flowstone.bench.load;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** The most that this process's heap held after any collection since it began to watch, what died young included only until then. */
public final class HeapWatch implements AutoCloseable {
    private final AtomicLong most = new AtomicLong();
    private final NotificationListener listener = (notification, _) -> collected(notification);

    public HeapWatch() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (bean instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(listener, null, null);
            }
        }
    }

    private void collected(Notification notification) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
                && notification.getUserData() instanceof CompositeData data) {
            long after =
                    GarbageCollectionNotificationInfo.from(data).getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
                            .filter(pool -> isHeap(pool.getKey()))
                            .map(java.util.Map.Entry::getValue)
                            .mapToLong(MemoryUsage::getUsed)
                            .sum();
            most.accumulateAndGet(after, Math::max);
        }
    }

    private static boolean isHeap(String pool) {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .anyMatch(
                        bean -> bean.getName().equals(pool) && bean.getType() == java.lang.management.MemoryType.HEAP);
    }

    /** In bytes; 0 if nothing was collected. */
    public long most() {
        return most.get();
    }

    @Override
    public void close() throws ListenerNotFoundException {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (bean instanceof NotificationEmitter emitter) {
                emitter.removeNotificationListener(listener);
            }
        }
    }
}
