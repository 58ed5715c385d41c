package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.program.Node;

/** The error of a run that was led to an End whose outcome is a failure. */
final class EndFailure {
    private EndFailure() {}

    static TaskError of(Node.End end) {
        return TaskError.of("ENDED_IN_FAILURE", "the run ended in " + end.id() + " with outcome " + end.outcome());
    }
}
