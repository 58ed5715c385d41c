package dev.flowstone.engine.shard;

import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.MessageCodec;
import dev.flowstone.kernel.message.Outgoing;
import java.time.Instant;
import java.util.Optional;

/** What a letter holds: {@code {"correlation": text, "message": {…}, "sentAt": instant}}. */
final class Letters {
    private Letters() {}

    /** The words of a letter. */
    record Content(String correlation, Message message) {}

    static Letter of(RunKey sender, String correlation, Instant sentAt, Outgoing outgoing) {
        return new Letter(
                new LetterKey(sender.tenant(), sender.run(), outgoing.number(), outgoing.to()),
                content(correlation, outgoing.message(), sentAt));
    }

    private static JsonObject content(String correlation, Message message, Instant sentAt) {
        return JsonObject.builder()
                .put("correlation", correlation)
                .put("message", MessageCodec.write(message))
                .put(LetterMessage.SENT_AT, sentAt.toString())
                .build();
    }

    /** The letter that a command came from, as a message of the inbox under the name by which it came; empty if it came from none. */
    static Optional<InboxMessage> message(CommandWork work, Instant now) {
        if (!(work.origin instanceof Origin.Post post && work.command instanceof Command.Deliver deliver)) {
            return Optional.empty();
        }
        InboxMessage message =
                LetterMessage.of(new Letter(post.letter(), content(post.correlation(), deliver.message(), now)), now);
        return Optional.of(post.inbox()
                .map(key -> new InboxMessage(key, message.run(), message.kind(), message.content(), now))
                .orElse(message));
    }

    /**
     * Reads what {@link #of} wrote.
     *
     * @throws IllegalArgumentException if the content isn't of this form
     */
    static Content read(JsonObject content) {
        if (content.get("correlation") instanceof JsonString correlation
                && content.get("message") instanceof JsonObject message) {
            return new Content(correlation.value(), MessageCodec.read(message));
        }
        throw new IllegalArgumentException("a letter has a correlation and a message");
    }

    static Command command(LetterKey key, Content content) {
        return new Command.Deliver(key.tenant(), key.receiver(), key.sender(), key.number(), content.message());
    }
}
