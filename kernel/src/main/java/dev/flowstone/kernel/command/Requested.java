package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What the caller of a start said about it besides its input (dataflow.md §13.1). It is recorded and shown; no decision
 * depends on it.
 *
 * @param displayName of the {@link Actor} that the run is started for, for people
 * @param email of that actor
 * @param priority as the caller counts
 */
public record Requested(Optional<String> displayName, Optional<String> email, Optional<Integer> priority) {
    public static final Requested NOTHING = new Requested(Optional.empty(), Optional.empty(), Optional.empty());

    public Requested {
        requireNonNull(displayName);
        requireNonNull(email);
        requireNonNull(priority);
    }

    public boolean isNothing() {
        return equals(NOTHING);
    }
}
