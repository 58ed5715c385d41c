package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * How busy a shard is, at one moment.
 *
 * @param starts that wait to be decided, by workflow
 * @param calls from outside that wait, beside the starts
 * @param results of handlers and letters that wait
 * @param room for starts and calls together
 * @param setAside runs that can't go on
 * @param tenants starts and calls that wait, by tenant
 * @param since when what has waited longest came; the end of time if nothing waits
 * @param late how long ago the first timer was due that has not been taken; nothing if none is
 * @param ahead by how much this machine's clock is ahead of the database's, as the last commit saw it
 */
public record ShardLoad(
        ShardId shard,
        ShardStatus status,
        boolean ready,
        Map<WorkflowId, Integer> starts,
        int calls,
        int results,
        int room,
        int setAside,
        Map<TenantId, Integer> tenants,
        Instant since,
        Duration late,
        Duration ahead) {
    public ShardLoad {
        requireNonNull(shard);
        requireNonNull(status);
        starts = Map.copyOf(starts);
        tenants = Map.copyOf(tenants);
        requireNonNull(since);
        requireNonNull(late);
        requireNonNull(ahead);
    }

    /** All that waits to be decided. */
    public int waiting() {
        return starts.values().stream().mapToInt(Integer::intValue).sum() + calls + results;
    }
}
