package dev.flowstone.engine.dead;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.log.LogContext;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;

/**
 * Where shards leave what they can't take up, and hear what became of it. A message that is tried again comes by the inbox, under
 * a name that says whose dead letter it is and the how manieth attempt. Thread-safe.
 */
public final class DeadLetterBox {
    /** Takes nothing. */
    public static final DeadLetterBox NONE = new DeadLetterBox(
            DeadLetterStore.NONE,
            new DeadLetterConfig(
                    false,
                    DeadLetterConfig.DEFAULT.queue(),
                    DeadLetterConfig.DEFAULT.maxRetries(),
                    DeadLetterConfig.DEFAULT.delay()),
            Runnable::run);

    private static final System.Logger LOG = System.getLogger(DeadLetterBox.class.getName());

    /** Whose messages are attempts. */
    private static final String SOURCE = "dead-letter";

    private final DeadLetterStore store;
    private final DeadLetterConfig config;
    private final Executor executor;

    /** @param executor of what nobody waits for */
    public DeadLetterBox(DeadLetterStore store, DeadLetterConfig config, Executor executor) {
        this.store = requireNonNull(store);
        this.config = requireNonNull(config);
        this.executor = requireNonNull(executor);
    }

    /**
     * A message could not be taken up: durable when it returns, so that it may be consumed.
     *
     * @param message as it was in the inbox, or would have been
     */
    public void message(InboxMessage message, DeadReason reason, String error) throws JournalException {
        if (!config.enabled()) {
            return;
        }
        OptionalLong letter = letter(message.key());
        try {
            if (letter.isPresent()) {
                store.failed(message.key().tenant(), letter.getAsLong(), reason, error, config);
            } else {
                store.failed(poison(message, reason, error), config);
            }
        } catch (JournalException.BadData e) {
            LOG.log(Level.ERROR, "the message " + message.key() + " can't be kept as a dead letter, and is lost", e);
        }
    }

    /** The same, soon: the message is consumed already. */
    public void lost(InboxMessage message, DeadReason reason, String error) {
        soon("the message " + message.key() + " is no dead letter yet", () -> message(message, reason, error));
    }

    /** A message was taken up. */
    public void taken(InboxKey message) {
        OptionalLong letter = letter(message);
        if (letter.isPresent()) {
            soon(
                    "the dead letter " + letter.getAsLong() + " is tried once more",
                    () -> store.resolved(message.tenant(), letter.getAsLong()));
        }
    }

    /** A run was set aside. */
    public void setAside(RunKey run, String reason) {
        PoisonMessage poison = new PoisonMessage(
                run.tenant(),
                DeadSource.EXECUTION,
                run.run().toString(),
                run.run().slot(),
                Optional.of(run.run()),
                DeadReason.POISON,
                JsonObject.builder().put("executionId", run.run().toString()).build(),
                reason);
        LogContext.about(
                run, () -> soon("a run that was set aside is no dead letter yet", () -> store.failed(poison, config)));
    }

    /** A run that may have been set aside is taken up again. */
    public void takenUp(RunKey run) {
        soon(
                "a run that was taken up again is still a dead letter",
                () -> store.resolved(
                        run.tenant(), DeadSource.EXECUTION, run.run().toString()));
    }

    private interface Deed {
        void done() throws JournalException;
    }

    private void soon(String otherwise, Deed deed) {
        if (!config.enabled() || store.equals(DeadLetterStore.NONE)) {
            return;
        }
        executor.execute(() -> {
            try {
                deed.done();
            } catch (JournalException e) {
                LOG.log(Level.WARNING, otherwise + ": " + e.getMessage());
            }
        });
    }

    private static PoisonMessage poison(InboxMessage message, DeadReason reason, String error) {
        InboxKey key = message.key();
        return new PoisonMessage(
                key.tenant(),
                DeadSource.MESSAGE,
                key.source() + "/" + key.key(),
                message.run().slot(),
                Optional.of(message.run()),
                reason,
                JsonObject.builder()
                        .put("source", key.source())
                        .put("key", key.key())
                        .put("executionId", message.run().toString())
                        .put("kind", message.kind())
                        .put("content", message.content())
                        .build(),
                error);
    }

    /**
     * The message that is the present attempt of a dead letter.
     *
     * @throws IllegalArgumentException if the letter is none of a message
     */
    public static InboxMessage attempt(DeadLetter letter, Instant now) {
        if (letter.payload().get("kind") instanceof JsonString kind
                && letter.payload().get("executionId") instanceof JsonString run
                && letter.payload().get("content") instanceof JsonObject content) {
            InboxKey key = new InboxKey(letter.tenant(), SOURCE, letter.id() + "/" + letter.attempts());
            return new InboxMessage(key, RunId.parse(run.value()), kind.value(), content, now);
        }
        throw new IllegalArgumentException("a message has a kind, an execution and a content");
    }

    /** Whose attempt it is. */
    private static OptionalLong letter(InboxKey key) {
        return key.source().equals(SOURCE)
                ? OptionalLong.of(Long.parseLong(key.key().split("/", 2)[0]))
                : OptionalLong.empty();
    }
}
