package dev.flowstone.testkit.memory;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;

/** Refuses what PostgreSQL refuses: a NUL or a lone surrogate in a text or a JSON column, an instant beyond its calendar. */
final class StorableText {
    private static final Instant LAST = Instant.parse("+294276-12-31T00:00:00Z");

    private StorableText() {}

    static void check(RunMove move) throws JournalException.BadData {
        check(move.correlation());
        for (Receipt receipt : move.receipts()) {
            check(receipt.key().scope());
            check(receipt.key().key());
            check(receipt.answer());
            check(receipt.expiresAt());
        }
        for (OutboxMessage message : move.outbox()) {
            check(message.destination());
            check(message.content());
        }
        for (Letter letter : move.letters()) {
            check(letter.content());
        }
        for (HumanTaskRow task : move.tasksOpen()) {
            // Its content is kept as text in which a NUL is escaped, so that any may stand there.
            for (String assignee : task.assignees()) {
                check(assignee);
            }
        }
        for (TimerRow timer : move.timersSet()) {
            check(timer.dueAt());
        }
    }

    static void check(String text) throws JournalException.BadData {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                throw new JournalException.BadData("a text holds a NUL at " + i);
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw new JournalException.BadData("a text holds a lone surrogate at " + i);
            }
        }
    }

    static void check(JsonObject value) throws JournalException.BadData {
        String text;
        try {
            text = CanonicalJson.exactText(value);
        } catch (IllegalArgumentException e) {
            throw new JournalException.BadData("a value has no JSON form", e);
        }
        if (text.contains("\\u0000")) {
            throw new JournalException.BadData("a JSON text holds a NUL");
        }
    }

    private static void check(Instant time) throws JournalException.BadData {
        if (time.isAfter(LAST)) {
            throw new JournalException.BadData("an instant lies beyond the database's calendar");
        }
    }
}
