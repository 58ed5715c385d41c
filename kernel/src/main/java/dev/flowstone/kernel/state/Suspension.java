package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.HoldPolicy;

/**
 * Why and how a run is held.
 *
 * @param scope whose suspension it is, in the words of who asked for it
 */
public record Suspension(Hold hold, HoldPolicy policy, String reason, String scope) {}
