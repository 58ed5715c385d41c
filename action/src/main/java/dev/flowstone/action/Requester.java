package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/** For whom an execution was started (dataflow.md §12.5.1); {@code system} if nobody was named. */
public record Requester(String userId, Optional<String> email, Optional<String> displayName) {
    public Requester {
        requireNonNull(userId);
        requireNonNull(email);
        requireNonNull(displayName);
    }
}
