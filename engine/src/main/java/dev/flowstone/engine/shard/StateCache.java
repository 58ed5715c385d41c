package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.RunKey;
import org.jspecify.annotations.Nullable;

/** Committed states of hot runs, bounded by the bytes that they say they weigh. Belongs to its shard's loop. */
final class StateCache {
    private final WeightedCache<RunKey, CachedRun> runs;

    StateCache(long maxBytes) {
        this.runs = new WeightedCache<>(maxBytes);
    }

    @Nullable
    CachedRun get(RunKey key) {
        return runs.get(key);
    }

    void put(RunKey key, CachedRun run) {
        runs.put(key, run, run.state().weight());
    }

    void evict(RunKey key) {
        runs.evict(key);
    }

    void clear() {
        runs.clear();
    }
}
