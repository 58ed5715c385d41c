package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import java.time.Instant;

/**
 * Permits that a run holds.
 *
 * @param activation the await that got them
 * @param scope number of the scope instance that they are given back with, at the latest
 */
public record HeldPermit(
        ActivationId activation, int scope, RunId semaphore, int permits, long fence, Instant expiresAt) {}
