package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.RunKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Committed states of hot runs, bounded by the bytes that they say they weigh; the least recently used go first. Belongs
 * to its shard's loop.
 */
final class StateCache {
    /** What an entry costs beside its state. */
    private static final long OVERHEAD = 256;

    private final long maxBytes;
    private final LinkedHashMap<RunKey, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    StateCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Nullable
    CachedRun get(RunKey key) {
        Entry entry = entries.get(key);
        return entry == null ? null : entry.run;
    }

    void put(RunKey key, CachedRun run) {
        long weight = run.state().weight() + OVERHEAD;
        Entry before = entries.put(key, new Entry(run, weight));
        bytes += weight - (before == null ? 0 : before.weight);
        shrink();
    }

    void evict(RunKey key) {
        Entry before = entries.remove(key);
        if (before != null) {
            bytes -= before.weight;
        }
    }

    private void shrink() {
        Iterator<Map.Entry<RunKey, Entry>> eldest = entries.entrySet().iterator();
        while (bytes > maxBytes && eldest.hasNext()) {
            bytes -= eldest.next().getValue().weight;
            eldest.remove();
        }
    }

    int size() {
        return entries.size();
    }

    long bytes() {
        return bytes;
    }

    void clear() {
        entries.clear();
        bytes = 0;
    }

    private record Entry(CachedRun run, long weight) {}
}
