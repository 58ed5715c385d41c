package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.payload.Payload;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt at a node, or a node's wait, or that it was skipped (dataflow.md §3.1, {@code ActionExecutions}).
 *
 * @param sequence number of the event that began it; orders the actions of an execution
 * @param attempt from 1
 * @param parameters as rendered; empty for a node that was never entered
 * @param child the run that a call started
 */
public record Action(
        long sequence,
        String nodeId,
        int visit,
        String actionType,
        Status status,
        int attempt,
        Optional<Payload> parameters,
        Optional<Payload> outputs,
        Optional<TaskError> error,
        Optional<Instant> startTime,
        Optional<Instant> endTime,
        Optional<RunId> child) {
    public Action {
        requireNonNull(nodeId);
        requireNonNull(actionType);
        requireNonNull(status);
        requireNonNull(parameters);
        requireNonNull(outputs);
        requireNonNull(error);
        requireNonNull(startTime);
        requireNonNull(endTime);
        requireNonNull(child);
    }

    /** How an attempt stands. */
    public enum Status {
        /** Handed out, no answer yet; the specification records attempts only when they have ended. */
        RUNNING("Running"),
        SUCCEEDED("Succeeded"),
        FAILED("Failed"),
        RETRIABLE_FAILURE("RetriableFailure"),
        SKIPPED("Skipped");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    Action ended(Status how, Instant when) {
        return new Action(
                sequence,
                nodeId,
                visit,
                actionType,
                how,
                attempt,
                parameters,
                outputs,
                error,
                startTime,
                Optional.of(when),
                child);
    }

    /** The same under the name that its node was given. */
    Action renamed(String node) {
        return new Action(
                sequence,
                node,
                visit,
                actionType,
                status,
                attempt,
                parameters,
                outputs,
                error,
                startTime,
                endTime,
                child);
    }

    /** The same as the call that started a run. */
    Action with(RunId started) {
        return new Action(
                sequence,
                nodeId,
                visit,
                actionType,
                status,
                attempt,
                parameters,
                outputs,
                error,
                startTime,
                endTime,
                Optional.of(started));
    }

    Action with(Payload output) {
        return new Action(
                sequence,
                nodeId,
                visit,
                actionType,
                status,
                attempt,
                parameters,
                Optional.of(output),
                error,
                startTime,
                endTime,
                child);
    }

    Action with(TaskError failure) {
        return new Action(
                sequence,
                nodeId,
                visit,
                actionType,
                status,
                attempt,
                parameters,
                outputs,
                Optional.of(failure),
                startTime,
                endTime,
                child);
    }
}
