package dev.flowstone.server.node;

import java.time.Instant;
import java.util.Optional;

/** What a Flowstone stands on: closed after it, and watched. */
@FunctionalInterface
public interface Below extends AutoCloseable {
    /** Up to when the journal has room made ahead; empty if it needs none. */
    default Optional<Instant> preparedUntil() {
        return Optional.empty();
    }

    @Override
    void close();
}
