package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;

/**
 * How many of the newest runs are in which status.
 *
 * @param groups by workflow, then by status
 * @param counted how many runs were looked at
 * @param complete whether those are all that there are
 */
public record RunCounts(List<Group> groups, long counted, boolean complete) {
    public RunCounts {
        groups = List.copyOf(groups);
    }

    /** Runs of one workflow in one status. */
    public record Group(WorkflowId workflow, RunStatus status, long runs) {
        public Group {
            requireNonNull(workflow);
            requireNonNull(status);
        }
    }
}
