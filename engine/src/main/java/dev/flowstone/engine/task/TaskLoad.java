package dev.flowstone.engine.task;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.Map;

/**
 * How busy the handlers of a node are, at one moment.
 *
 * @param limit how many may run at once in all
 * @param waiting attempts that wait for a place, by the workflow of their run
 */
public record TaskLoad(int limit, Map<HandlerName, Lane> lanes, Map<WorkflowId, Integer> waiting) {
    public TaskLoad {
        lanes = Map.copyOf(lanes);
        waiting = Map.copyOf(waiting);
    }

    /**
     * One handler's.
     *
     * @param limit how many of it may run at once
     */
    public record Lane(int running, int waiting, int limit) {}
}
