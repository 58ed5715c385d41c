package dev.flowstone.engine.read;

import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.util.Optional;
import java.util.Set;

/** Which runs to list; an empty set of statuses means all. */
public record RunFilter(Optional<WorkflowId> workflow, Set<RunStatus> statuses, Span began) {
    public static final RunFilter ALL = new RunFilter(Optional.empty(), Set.of());

    /** Whenever they began. */
    public RunFilter(Optional<WorkflowId> workflow, Set<RunStatus> statuses) {
        this(workflow, statuses, Span.EVER);
    }

    public RunFilter {
        statuses = Set.copyOf(statuses);
    }
}
