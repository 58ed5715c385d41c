package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Letters of a pair stand in an inbox in the order in which they were sent (R21); the simulator's seed 1240. */
final class LetterOrderTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final RunId SENDER = RunId.of(NOON, new Slot(1), 1);
    private static final RunId RECEIVER = RunId.of(NOON, new Slot(2), 2);

    private static InboxMessage posted(long number, Instant sentAt, Instant now) {
        JsonObject content = JsonObject.builder()
                .put(LetterMessage.SENT_AT, sentAt.toString())
                .build();
        return LetterMessage.of(
                new Letter(new LetterKey(new TenantId("acme"), SENDER, number, RECEIVER), content), now);
    }

    @Test
    void theEleventhLetterDoesNotOvertakeTheNinthOfTheSameInstant() {
        InboxMessage ninth = posted(9, NOON, NOON);
        InboxMessage eleventh = posted(11, NOON, NOON);

        assertTrue(ninth.key().compareTo(eleventh.key()) < 0);
    }

    @Test
    void anotherMachinesClockDoesNotMoveALetterForward() {
        InboxMessage first = posted(9, NOON, NOON.plusSeconds(60));
        InboxMessage second = posted(11, NOON.plusSeconds(1), NOON.minusSeconds(60));

        assertFalse(second.receivedAt().isBefore(first.receivedAt()));
    }
}
