package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.Map;

/**
 * How busy a shard is, at one moment.
 *
 * @param starts that wait to be decided, by workflow
 * @param calls from outside that wait, beside the starts
 * @param results of handlers and letters that wait
 * @param room for starts and calls together
 * @param setAside runs that can't go on
 */
public record ShardLoad(
        ShardId shard,
        ShardStatus status,
        boolean ready,
        Map<WorkflowId, Integer> starts,
        int calls,
        int results,
        int room,
        int setAside) {
    public ShardLoad {
        requireNonNull(shard);
        requireNonNull(status);
        starts = Map.copyOf(starts);
    }
}
