package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.payload.Payload;
import java.time.Duration;

/**
 * An attempt of a task that has no answer yet.
 *
 * @param returned whether a node gave it back unused: nobody works on it
 */
public record Attempt(
        ActivationId activation,
        int attempt,
        HandlerName handler,
        Payload input,
        Duration timeout,
        Sha256 key,
        boolean returned) {
    Attempt returned(boolean unused) {
        return new Attempt(activation, attempt, handler, input, timeout, key, unused);
    }
}
