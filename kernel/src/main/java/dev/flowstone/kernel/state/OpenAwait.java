package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;

/**
 * An await that nothing has come for yet.
 *
 * @param from the aggregate that it waits for: a channel, or a semaphore if it wants permits
 * @param name of that semaphore, or the signal's type
 */
public record OpenAwait(ActivationId activation, RunId from, boolean permit, String name) {}
