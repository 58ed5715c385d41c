package dev.flowstone.testkit.memory;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadLetterStore.Pair;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * A dead letter, and what people don't see of it.
 *
 * @param sender if it is one of a pair
 * @param retries since it came; -1 once it was requeued
 */
record DeadLetterRow(DeadLetter letter, Slot slot, Optional<RunId> sender, int retries) {
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

    DeadLetterRow postponed(Instant due) {
        return placed(State.WAITING, letter.attempts(), Optional.of(due), retries - 1);
    }

    DeadLetterRow dead() {
        return placed(State.DEAD, letter.attempts(), Optional.empty(), retries);
    }

    DeadLetterRow requeued(Instant due) {
        return placed(State.WAITING, letter.attempts(), Optional.of(due), -1);
    }

    DeadLetterRow dueAt(Instant due) {
        return placed(letter.state(), letter.attempts(), Optional.of(due), retries);
    }

    DeadLetterRow overtaken(String error, Instant now) {
        DeadLetterRow dead = with(
                DeadReason.VALIDATION,
                letter.payload(),
                State.DEAD,
                letter.attempts(),
                Optional.empty(),
                error,
                now,
                retries);
        return new DeadLetterRow(dead.letter, slot, Optional.empty(), retries);
    }

    Optional<Pair> pair() {
        return sender.flatMap(from -> letter.run().map(run -> new Pair(new RunKey(letter.tenant(), run), from)));
    }

    /** Whether it stands behind another. */
    boolean isBehind(DeadLetterRow other) {
        return pair().isPresent()
                && pair().equals(other.pair())
                && letter.source().equals(other.letter.source())
                && other.letter.id() < letter.id();
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
                sender,
                tried);
    }
}
