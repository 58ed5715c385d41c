package dev.flowstone.engine.task;

import dev.flowstone.engine.limit.Permit;
import dev.flowstone.engine.limit.WorkClass;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.Attempt;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt that is for workers: it waits in its lane, or a worker holds it under a lease. Compared by identity; what
 * changes belongs to whoever holds the lock of {@link RemoteTasks}.
 */
final class RemoteEntry {
    final RemoteTasks desk;
    final RemoteName name;
    final WorkflowId workflow;
    final String correlation;
    final Attempt attempt;
    final TaskRun task;

    /** Null while it waits. */
    @Nullable
    String lease;

    /** What its worker's lease was under the node before, good beside the present one; null if it was claimed here. */
    @Nullable
    String before;

    Instant until = Instant.MAX;

    /** Who claimed it here; null if nobody has, or under a node before. */
    RemoteWaiter.@Nullable Worker worker;

    /** That it is in somebody's hands; null while it waits. */
    @Nullable
    Permit permit;

    RemoteEntry(
            RemoteTasks desk, RemoteName name, WorkflowId workflow, String correlation, Attempt attempt, TaskRun task) {
        this.desk = desk;
        this.name = name;
        this.workflow = workflow;
        this.correlation = correlation;
        this.attempt = attempt;
        this.task = task;
    }

    /** Whether who has this lease holds it. */
    boolean isUnder(String name) {
        return lease != null && (name.equals(lease) || name.equals(before));
    }

    /** As one of its action's. */
    TaskLoad.Lane load() {
        return lease == null
                ? new TaskLoad.Lane(0, 1, Integer.MAX_VALUE, task.submittedAt())
                : new TaskLoad.Lane(1, 0, Integer.MAX_VALUE, Instant.MAX);
    }

    Lane lane() {
        return new Lane(name.run().tenant(), attempt.handler(), task.workClass());
    }

    /** Which lane. */
    record Lane(TenantId tenant, HandlerName action, WorkClass workClass) {}
}
