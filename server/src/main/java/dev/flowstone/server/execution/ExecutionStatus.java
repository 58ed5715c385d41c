package dev.flowstone.server.execution;

import dev.flowstone.kernel.state.RunStatus;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The statuses of dataflow.md §3.1. */
public enum ExecutionStatus {
    /** Accepted; nothing has happened yet. Only an answer to a start says so, since a run begins in its first commit. */
    PENDING("Pending"),
    RUNNING("Running"),
    SUCCEEDED("Succeeded"),
    FAILED("Failed"),
    CANCELLED("Cancelled");

    private final String text;

    ExecutionStatus(String text) {
        this.text = text;
    }

    public static ExecutionStatus of(RunStatus status) {
        return switch (status) {
            case RUNNING, FAILING, CANCELING, COMPENSATING -> RUNNING;
            case SUCCEEDED -> SUCCEEDED;
            case FAILED -> FAILED;
            case CANCELED, TERMINATED -> CANCELLED;
        };
    }

    public static Optional<ExecutionStatus> parse(String text) {
        return Arrays.stream(values()).filter(it -> it.text.equals(text)).findFirst();
    }

    /** The engine's statuses that are told as this one. */
    public Set<RunStatus> runStatuses() {
        return Arrays.stream(RunStatus.values()).filter(it -> of(it) == this).collect(Collectors.toSet());
    }

    @Override
    public String toString() {
        return text;
    }
}
