package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import org.jspecify.annotations.Nullable;

/**
 * Something that waits for a person.
 *
 * @param sequence of the event that raised it
 * @param parked the work that goes on when it is resolved
 */
public record Incident(
        long sequence, String code, @Nullable ActivationId activation, String message, WorkItem parked) {}
