package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.payload.Payload;

/**
 * Undoing what was done (R24). What undoes {@code node#visit} is named {@code node#-visit}; its attempts are events of
 * tasks under that name.
 */
public sealed interface CompensationEvent extends EventBody {
    /** When the run ends in failure, what was done in this scope instance is undone. */
    record CompensationDue(int scope) implements CompensationEvent {}

    /** The newest {@code entries} of what was done in a scope instance are undone from now on, newest first. */
    record CompensationBegan(int scope, int entries) implements CompensationEvent {}

    /**
     * The turn of one effect has come; precedes all that undoing it causes.
     *
     * @param key the idempotency key that every attempt to undo it carries
     */
    record CompensationScheduled(ActivationId activation, Sha256 key) implements CompensationEvent {
        public CompensationScheduled {
            requireNonNull(activation);
            requireNonNull(key);
        }
    }

    /** It is undone. */
    record CompensationApplied(ActivationId activation, int attempt, Payload output) implements CompensationEvent {
        public CompensationApplied {
            requireNonNull(activation);
            requireNonNull(output);
        }
    }

    /** It was not undone, and is not tried again. */
    record CompensationFailed(ActivationId activation, TaskError error) implements CompensationEvent {
        public CompensationFailed {
            requireNonNull(activation);
            requireNonNull(error);
        }
    }
}
