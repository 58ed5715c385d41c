package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import dev.flowstone.kernel.id.TenantId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The ticks that are under way. A shard, or a tenant, has as many places at most as are free (a dynamic threshold): one that stands still
 * leaves half to the others, two a third, and so on. Thread-safe.
 */
final class Places {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<UUID, Place> taken = new HashMap<>();
    private final Map<TenantId, Integer> ofTenants = new HashMap<>();
    private final Map<ShardId, Integer> ofShards = new HashMap<>();

    private record Place(TenantId tenant, ShardId shard) {}

    Places(int most) {
        this.most = most;
    }

    /** Takes one, if there is one for it. */
    boolean take(OpenTick tick, ShardId shard) {
        requireNonNull(shard);
        TenantId tenant = tick.arrival().trigger().tenant();
        lock.lock();
        try {
            int free = most - taken.size();
            if (taken.containsKey(tick.arrival().id())
                    || ofTenants.getOrDefault(tenant, 0) >= free
                    || ofShards.getOrDefault(shard, 0) >= free) {
                return false;
            }
            taken.put(tick.arrival().id(), new Place(tenant, shard));
            ofTenants.merge(tenant, 1, Integer::sum);
            ofShards.merge(shard, 1, Integer::sum);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void free(Set<UUID> ids) {
        lock.lock();
        try {
            for (UUID id : ids) {
                @Nullable Place place = taken.remove(id);
                if (place != null) {
                    less(ofTenants, place.tenant());
                    less(ofShards, place.shard());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private static <K> void less(Map<K, Integer> counts, K key) {
        int left = counts.getOrDefault(key, 1) - 1;
        if (left == 0) {
            counts.remove(key);
        } else {
            counts.put(key, left);
        }
    }

    Set<UUID> known() {
        lock.lock();
        try {
            return Set.copyOf(taken.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Tenants that have as many as they may. */
    Set<TenantId> fullTenants() {
        return full(ofTenants);
    }

    /** Shards that have as many as they may. */
    Set<ShardId> fullShards() {
        return full(ofShards);
    }

    private <K> Set<K> full(Map<K, Integer> counts) {
        lock.lock();
        try {
            int free = most - taken.size();
            return counts.entrySet().stream()
                    .filter(it -> it.getValue() >= free)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toUnmodifiableSet());
        } finally {
            lock.unlock();
        }
    }

    int free() {
        lock.lock();
        try {
            return most - taken.size();
        } finally {
            lock.unlock();
        }
    }

    boolean areAllFree() {
        return free() == most;
    }
}
