package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * How busy the handlers of a node are, and workers with what they have of it, at one moment.
 *
 * @param limit how many handlers may run at once in all
 * @param lanes of this node's handlers
 * @param remote of what workers outside do
 * @param running how many attempts are under way within each limit
 * @param waiting attempts that wait for a place of this node, by the workflow of their run
 */
public record TaskLoad(
        int limit,
        Map<HandlerName, Lane> lanes,
        Map<HandlerName, Lane> remote,
        Map<ActionLimit, Integer> running,
        Map<WorkflowId, Integer> waiting) {
    public TaskLoad {
        lanes = Map.copyOf(lanes);
        remote = Map.copyOf(remote);
        running = Map.copyOf(running);
        waiting = Map.copyOf(waiting);
    }

    /** Nothing goes on. */
    public static TaskLoad idle(int limit) {
        return new TaskLoad(limit, Map.of(), Map.of(), Map.of(), Map.of());
    }

    /** What waits for each action, wherever it is done. */
    public Map<HandlerName, Lane> queues() {
        Map<HandlerName, Lane> queues = new HashMap<>(lanes);
        remote.forEach((action, lane) -> queues.merge(action, lane, Lane::with));
        return queues;
    }

    /** Attempts that wait for something, and are under this limit. */
    public int waiting(ActionLimit on) {
        return queues().entrySet().stream()
                .filter(queue -> on.isOn(queue.getKey()))
                .mapToInt(queue -> queue.getValue().waiting())
                .sum();
    }

    /**
     * One action's.
     *
     * @param limit how many of it may run at once
     * @param since when the one was handed out that has waited longest; the end of time if none waits
     */
    public record Lane(int running, int waiting, int limit, Instant since) {
        public Lane {
            requireNonNull(since);
        }

        Lane within(int most) {
            return new Lane(running, waiting, most, since);
        }

        Lane with(Lane other) {
            return new Lane(
                    running + other.running,
                    waiting + other.waiting,
                    Math.max(limit, other.limit),
                    since.isBefore(other.since) ? since : other.since);
        }
    }
}
