package dev.flowstone.engine.limit;

import dev.flowstone.kernel.id.WorkflowId;
import java.util.Set;

/**
 * Which runs are of which class: each workflow's of one.
 *
 * @param bulk workflows; all others are latency-sensitive
 */
public record WorkClasses(Set<WorkflowId> bulk) {
    /** Nothing is bulk. */
    public static final WorkClasses NONE = new WorkClasses(Set.of());

    public WorkClasses {
        bulk = Set.copyOf(bulk);
    }

    public WorkClass of(WorkflowId workflow) {
        return bulk.contains(workflow) ? WorkClass.BULK : WorkClass.LATENCY_SENSITIVE;
    }
}
