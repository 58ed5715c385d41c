package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import java.time.Instant;
import java.util.Optional;

/** A timer that is set. */
public record TimerState(
        TimerId timer, int generation, Instant dueAt, TimerPurpose purpose, Optional<ActivationId> activation) {
    /** The same timer of an activation under another name; timers of an activation are named after it. */
    public TimerState renamed(ActivationId owner) {
        String old = activation.map(ActivationId::toString).orElse("");
        String name = timer.value().startsWith(old) ? owner + timer.value().substring(old.length()) : timer.value();
        return new TimerState(new TimerId(name), generation, dueAt, purpose, Optional.of(owner));
    }
}
