package dev.flowstone.engine.shard;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bounded by the bytes that its values weigh; the least recently used go first. Belongs to its shard's loop. */
final class WeightedCache<K, V> {
    /** What an entry costs beside its value. */
    private static final long OVERHEAD = 256;

    private final long maxBytes;
    private final LinkedHashMap<K, Entry<V>> entries = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    WeightedCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Nullable
    V get(K key) {
        Entry<V> entry = entries.get(key);
        return entry == null ? null : entry.value;
    }

    void put(K key, V value, long valueBytes) {
        long weight = valueBytes + OVERHEAD;
        Entry<V> before = entries.put(key, new Entry<>(value, weight));
        bytes += weight - (before == null ? 0 : before.weight);
        shrink();
    }

    void evict(K key) {
        Entry<V> before = entries.remove(key);
        if (before != null) {
            bytes -= before.weight;
        }
    }

    private void shrink() {
        Iterator<Map.Entry<K, Entry<V>>> eldest = entries.entrySet().iterator();
        while (bytes > maxBytes && eldest.hasNext()) {
            bytes -= eldest.next().getValue().weight;
            eldest.remove();
        }
    }

    void clear() {
        entries.clear();
        bytes = 0;
    }

    private record Entry<V>(V value, long weight) {}
}
