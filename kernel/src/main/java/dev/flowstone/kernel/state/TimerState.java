package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import java.time.Instant;
import java.util.Optional;

/** A timer that is set. */
public record TimerState(
        TimerId timer, int generation, Instant dueAt, TimerPurpose purpose, Optional<ActivationId> activation) {}
