package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;

/**
 * How many runs are in which status: all, or the newest of them.
 *
 * @param groups by workflow, then by status
 * @param counted how many runs that is
 * @param complete whether those are all that were asked for
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
