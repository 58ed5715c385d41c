package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.shard.ShardLoad;
import dev.flowstone.engine.task.TaskLoad;
import java.util.List;

/** How busy a node is, at one moment. */
public record NodeLoad(List<ShardLoad> shards, TaskLoad tasks) {
    public NodeLoad {
        shards = List.copyOf(shards);
        requireNonNull(tasks);
    }
}
