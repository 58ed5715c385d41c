package dev.flowstone.engine.task;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that wait for a worker, by tenant and action, and the workers that wait for one; how many there are of each tenant.
 * A lane in which nothing and nobody waits is forgotten. Guarded by its {@link RemoteTasks}.
 */
final class RemoteLanes {
    private final Map<RemoteEntry.Lane, RemoteLane> lanes = new HashMap<>();
    private final Map<TenantId, Integer> waiting = new HashMap<>();
    private int size;

    void add(RemoteEntry entry) {
        count(entry.name.run().tenant(), 1);
        lanes.computeIfAbsent(entry.lane(), key -> new RemoteLane()).add(entry);
    }

    /** Takes the first of a lane; null if it is empty. */
    @Nullable
    RemoteEntry poll(RemoteEntry.Lane key) {
        RemoteLane lane = lanes.get(key);
        RemoteEntry entry = lane == null ? null : lane.poll();
        if (entry != null) {
            count(key.tenant(), -1);
        }
        return entry;
    }

    /** It waits no more, if it did. */
    void remove(RemoteEntry entry) {
        RemoteLane lane = lanes.get(entry.lane());
        if (lane != null && lane.remove(entry)) {
            count(entry.name.run().tenant(), -1);
            pass(entry.lane());
        }
    }

    /** A worker waits in each lane of its claim. */
    void join(RemoteClaim claim, Condition woken) {
        for (HandlerName action : claim.actions()) {
            lanes.computeIfAbsent(lane(claim, action), key -> new RemoteLane()).join(woken);
        }
    }

    void leave(RemoteClaim claim, Condition woken) {
        for (HandlerName action : claim.actions()) {
            RemoteLane lane = lanes.get(lane(claim, action));
            if (lane != null) {
                lane.leave(woken);
            }
        }
    }

    /** Wakes the next workers for what is still there after a claim. */
    void pass(RemoteClaim claim) {
        claim.actions().forEach(action -> pass(lane(claim, action)));
    }

    private void pass(RemoteEntry.Lane key) {
        RemoteLane lane = lanes.get(key);
        if (lane != null) {
            lane.wake();
            if (lane.isEmpty()) {
                lanes.remove(key);
            }
        }
    }

    void wakeAll() {
        lanes.values().forEach(RemoteLane::wakeAll);
    }

    static RemoteEntry.Lane lane(RemoteClaim claim, HandlerName action) {
        return new RemoteEntry.Lane(claim.tenant(), action);
    }

    int size() {
        return size;
    }

    /** Whether more than the bound wait in all, and more than its equal share of it of this tenant. */
    boolean isOverloaded(TenantId tenant, int most) {
        return size > most && waiting.getOrDefault(tenant, 0) > most / waiting.size();
    }

    /** A tenant of which nothing waits has no count. */
    private void count(TenantId tenant, int more) {
        waiting.merge(tenant, more, (before, change) -> before + change == 0 ? null : before + change);
        size += more;
    }
}
