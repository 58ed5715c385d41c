package dev.flowstone.testkit.memory;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * A dead letter, and what people don't see of it.
 *
 * @param retries since it came, or was requeued last
 */
record DeadLetterRow(DeadLetter letter, Slot slot, int retries) {
    DeadLetterRow failed(DeadReason reason, JsonObject payload, String error, Instant now, int most) {
        boolean dead = retries >= most;
        return with(
                reason,
                payload,
                dead ? State.DEAD : letter.state(),
                letter.attempts(),
                dead ? Optional.empty() : letter.dueAt(),
                error,
                now,
                retries);
    }

    DeadLetterRow taken(Instant due) {
        return placed(State.WAITING, letter.attempts() + 1, Optional.of(due), retries + 1);
    }

    DeadLetterRow dead() {
        return placed(State.DEAD, letter.attempts(), Optional.empty(), retries);
    }

    DeadLetterRow requeued(Instant due) {
        return placed(State.WAITING, letter.attempts(), Optional.of(due), 0);
    }

    private DeadLetterRow placed(State state, int attempts, Optional<Instant> due, int tried) {
        return with(letter.reason(), letter.payload(), state, attempts, due, letter.error(), letter.failedAt(), tried);
    }

    private DeadLetterRow with(
            DeadReason reason,
            JsonObject payload,
            State state,
            int attempts,
            Optional<Instant> due,
            String error,
            Instant failedAt,
            int tried) {
        return new DeadLetterRow(
                new DeadLetter(
                        letter.tenant(),
                        letter.id(),
                        letter.source(),
                        letter.key(),
                        letter.run(),
                        reason,
                        payload,
                        state,
                        attempts,
                        due,
                        error,
                        letter.enqueuedAt(),
                        failedAt),
                slot,
                tried);
    }
}
