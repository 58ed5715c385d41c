package dev.flowstone.kernel.message;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;

/**
 * A message on its way.
 *
 * @param to a run or an aggregate of the same tenant
 * @param number of the sender's event that caused it; grows with each message of a pair
 */
public record Outgoing(RunId to, long number, Message message) {
    public Outgoing {
        requireNonNull(to);
        requireNonNull(message);
    }
}
