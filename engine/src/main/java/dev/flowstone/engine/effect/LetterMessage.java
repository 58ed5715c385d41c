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

    private static final String SOURCE = "run";

    private LetterMessage() {}

    /** The message under the letter's name for ever, so that a repetition is dropped. */
    public static InboxMessage of(Letter letter, Instant receivedAt) {
        LetterKey key = letter.key();
        return new InboxMessage(
                new InboxKey(key.tenant(), SOURCE, key.sender() + "/" + key.number() + "/" + key.receiver()),
                key.receiver(),
                KIND,
                JsonObject.builder()
                        .put("sender", key.sender().toString())
                        .put("number", key.number())
                        .put("content", letter.content())
                        .build(),
                receivedAt);
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
}
