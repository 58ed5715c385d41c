package dev.flowstone.engine.effect;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.time.Instant;
import java.util.Optional;

/**
 * A letter to a run whose shard another process owns, as an inbox message of kind {@value #KIND}: once it is there, its
 * sender may forget it.
 *
 * <pre>
 * {"sender": run, "number": 17, "content": {…}}
 * </pre>
 */
public final class LetterMessage {
    public static final String KIND = "letter";

    /** Of a letter's content: the time of the event that caused it. */
    public static final String SENT_AT = "sentAt";

    private static final String SOURCE = "run";

    private static final int DIGITS = 19;

    private LetterMessage() {}

    /**
     * The message under the letter's name for ever, so that a repetition is dropped. An inbox is read in the order of times
     * and then of names. So that no letter of a pair of runs overtakes another there (R21), its time is that of the event
     * that caused it, which never goes back, whichever machine posts it; and its number has leading zeros.
     *
     * @param now for a letter that doesn't say when it was sent
     */
    public static InboxMessage of(Letter letter, Instant now) {
        LetterKey key = letter.key();
        Instant sentAt = letter.content().get(SENT_AT) instanceof JsonString text ? Instant.parse(text.value()) : now;
        return new InboxMessage(
                new InboxKey(key.tenant(), SOURCE, key.sender() + "/" + padded(key.number()) + "/" + key.receiver()),
                key.receiver(),
                KIND,
                JsonObject.builder()
                        .put("sender", key.sender().toString())
                        .put("number", key.number())
                        .put("content", letter.content())
                        .build(),
                sentAt);
    }

    private static String padded(long number) {
        String digits = Long.toString(number);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    /**
     * Reads what {@link #of} wrote.
     *
     * @throws IllegalArgumentException if the content isn't of this form
     */
    public static Letter read(InboxMessage message) {
        if (message.content().get("sender") instanceof JsonString sender
                && message.content().get("number") instanceof JsonNumber number
                && message.content().get("content") instanceof JsonObject content) {
            LetterKey key = new LetterKey(
                    message.key().tenant(),
                    RunId.parse(sender.value()),
                    number.decimalValue().longValueExact(),
                    message.run());
            return new Letter(key, content);
        }
        throw new IllegalArgumentException("a letter names its sender, its number and its content");
    }

    /** Whose letter a message is, as far as can be told; empty of others. */
    public static Optional<RunId> sender(InboxMessage message) {
        if (!message.kind().equals(KIND) || !(message.content().get("sender") instanceof JsonString(String sender))) {
            return Optional.empty();
        }
        try {
            return Optional.of(RunId.parse(sender));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
