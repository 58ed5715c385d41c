package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * A part of a list. Also one without items may have a next.
 *
 * @param next where the following one begins; empty at the end
 */
public record Page<T>(List<T> items, Optional<String> next) {
    public Page {
        items = List.copyOf(items);
        requireNonNull(next);
    }
}
