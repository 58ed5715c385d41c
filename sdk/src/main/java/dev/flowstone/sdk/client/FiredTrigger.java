package dev.flowstone.sdk.client;

import java.util.Optional;

/**
 * What firing a trigger did.
 *
 * @param executionId that was started, now or before under the same key; empty if the trigger's condition is false, or if it has sent a
 *     signal instead
 * @param created whether it was started now; false under a key of the caller's that had started it before, or by an attempt of this
 *     call without an answer
 * @param reason why nothing was started
 */
public record FiredTrigger(Optional<String> executionId, boolean created, Optional<String> reason) {}
