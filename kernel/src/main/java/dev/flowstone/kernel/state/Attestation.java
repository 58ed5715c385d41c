package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;

/** A person's word that is waited for: what was done about the effect of an activation. */
public record Attestation(String attestation, ActivationId activation, String instructions) {}
