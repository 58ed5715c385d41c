package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import java.io.Serial;

/** Thrown by a handler that had nothing to do: the node is skipped, and what follows it alone, too. */
public final class TaskSkipped extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    public TaskSkipped(String reason) {
        super(requireNonNull(reason));
    }

    String reason() {
        return requireNonNull(getMessage());
    }
}
