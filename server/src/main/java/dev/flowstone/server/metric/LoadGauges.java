package dev.flowstone.server.metric;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.shard.ShardLoad;
import dev.flowstone.engine.task.TaskLoad;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToIntFunction;

/** How busy the engine of this node is, asked once for all families of a scrape. */
public final class LoadGauges {
    private static final Duration FRESH = Duration.ofMillis(200);

    private LoadGauges() {}

    public static void addTo(Meters meters, Supplier<NodeLoad> source) {
        Supplier<NodeLoad> load = new Recent<>(source, FRESH);
        meters.add(new Gauges(
                "queue_depth",
                "Starts that wait to be decided, and attempts that wait for a place, by workflow; the deepest ones.",
                sink -> deepest(depths(load.get()))
                        .forEach(depth ->
                                sink.is(depth.getValue(), depth.getKey().value())),
                "workflowId"));
        shards(meters, load, "flowstone_shard_queued_calls", "Calls that wait to be decided.", ShardLoad::calls);
        shards(meters, load, "flowstone_shard_queued_results", "Results and letters that wait.", ShardLoad::results);
        shards(
                meters,
                load,
                "flowstone_shard_queued_starts",
                "Starts that wait to be decided.",
                shard -> shard.starts().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum());
        shards(meters, load, "flowstone_shard_queue_limit", "Starts and calls that may wait.", ShardLoad::room);
        shards(meters, load, "flowstone_shard_ready", "Whether it takes commands.", shard -> shard.ready() ? 1 : 0);
        shards(meters, load, "flowstone_runs_set_aside", "Runs that can't go on.", ShardLoad::setAside);
        lanes(meters, load, "flowstone_handlers_running", "Handlers that run.", TaskLoad.Lane::running);
        lanes(meters, load, "flowstone_handlers_waiting", "Attempts that wait for a place.", TaskLoad.Lane::waiting);
        lanes(meters, load, "flowstone_handlers_limit", "Handlers that may run at once.", TaskLoad.Lane::limit);
        remote(meters, load, "flowstone_workers_holding", "Attempts that workers have.", TaskLoad.Lane::running);
        remote(meters, load, "flowstone_workers_waiting", "Attempts that wait for workers.", TaskLoad.Lane::waiting);
        limits(
                meters,
                load,
                "flowstone_limit_running",
                "Attempts under way.",
                (tasks, limit) -> tasks.running().getOrDefault(limit, 0));
        limits(meters, load, "flowstone_limit_waiting", "Attempts that wait.", TaskLoad::waiting);
        limits(
                meters,
                load,
                "flowstone_limit_at_once",
                "That may be under way; 0 for any number.",
                (_, limit) -> limit.atOnce());
        limits(
                meters,
                load,
                "flowstone_limit_per_second",
                "That may begin; 0 for any number.",
                (_, limit) -> limit.perSecond());
        meters.add(new Gauges(
                "flowstone_handlers_limit_all",
                "Handlers of all actions that may run at once.",
                sink -> sink.is(load.get().tasks().limit())));
    }

    private static void shards(
            Meters meters, Supplier<NodeLoad> load, String name, String help, ToIntFunction<ShardLoad> value) {
        meters.add(new Gauges(
                name,
                help,
                sink -> load.get()
                        .shards()
                        .forEach(shard ->
                                sink.is(value.applyAsInt(shard), shard.shard().toString())),
                "shard"));
    }

    /** There are as many handlers as the node has registered. */
    private static void lanes(
            Meters meters, Supplier<NodeLoad> load, String name, String help, ToIntFunction<TaskLoad.Lane> value) {
        byAction(meters, name, help, () -> load.get().tasks().lanes(), value);
    }

    /** There are as many actions as the settings name. */
    private static void remote(
            Meters meters, Supplier<NodeLoad> load, String name, String help, ToIntFunction<TaskLoad.Lane> value) {
        byAction(meters, name, help, () -> load.get().tasks().remote(), value);
    }

    private static void byAction(
            Meters meters,
            String name,
            String help,
            Supplier<Map<HandlerName, TaskLoad.Lane>> lanes,
            ToIntFunction<TaskLoad.Lane> value) {
        meters.add(new Gauges(
                name,
                help,
                sink -> lanes.get().forEach((handler, lane) -> sink.is(value.applyAsInt(lane), handler.value())),
                "actionType"));
    }

    /** There are as many limits as the settings say. */
    private static void limits(
            Meters meters,
            Supplier<NodeLoad> load,
            String name,
            String help,
            ToDoubleBiFunction<TaskLoad, ActionLimit> value) {
        meters.add(new Gauges(
                name,
                help,
                sink -> {
                    TaskLoad tasks = load.get().tasks();
                    tasks.running()
                            .keySet()
                            .forEach(limit -> sink.is(value.applyAsDouble(tasks, limit), limit.actions()));
                },
                "actions"));
    }

    private static Map<WorkflowId, Integer> depths(NodeLoad load) {
        Map<WorkflowId, Integer> depths = new TreeMap<>(Comparator.comparing(WorkflowId::value));
        load.shards().forEach(shard -> shard.starts().forEach((id, count) -> depths.merge(id, count, Integer::sum)));
        load.tasks().waiting().forEach((id, count) -> depths.merge(id, count, Integer::sum));
        return depths;
    }

    private static List<Map.Entry<WorkflowId, Integer>> deepest(Map<WorkflowId, Integer> depths) {
        return depths.entrySet().stream()
                .sorted(Map.Entry.<WorkflowId, Integer>comparingByValue().reversed())
                .limit(Meters.MOST)
                .toList();
    }
}
