package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import java.util.Optional;

/** Something that the engine can't undo: a person is to say what was done about it (R24). */
public record Attestation(String id, Optional<ActivationId> activation, String reason) {}
