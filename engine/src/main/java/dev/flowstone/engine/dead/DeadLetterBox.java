package dev.flowstone.engine.dead;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetterStore.Failed;
import dev.flowstone.engine.dead.DeadLetterStore.Pair;
import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.log.LogContext;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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

    private static final Duration SOON = Duration.ofMillis(1);

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
        keep(message, reason, error, config);
    }

    /** The same of one that is to be tried as soon as those before it have been taken up. */
    public void heldBack(InboxMessage message, String error) throws JournalException {
        keep(
                message,
                DeadReason.VALIDATION,
                error,
                new DeadLetterConfig(config.enabled(), config.queue(), config.maxRetries(), SOON));
    }

    private void keep(InboxMessage message, DeadReason reason, String error, DeadLetterConfig retries)
            throws JournalException {
        if (!retries.enabled()) {
            LOG.log(Level.WARNING, "the message " + message.key() + " can't be taken up, and is dropped: " + error);
            return;
        }
        OptionalLong letter = letter(message.key());
        try {
            Failed failed = letter.isPresent()
                    ? store.failed(message.key().tenant(), letter.getAsLong(), reason, error, retries)
                    : store.failed(poison(message, reason, error), retries);
            if (failed.dead()) {
                warn("the message " + message.key() + " to the run " + message.run(), error);
            }
        } catch (JournalException.BadData e) {
            LOG.log(Level.ERROR, "the message " + message.key() + " can't be kept as a dead letter, and is lost", e);
        }
    }

    /** Nobody tries it again: somebody should know. */
    static void warn(String what, String error) {
        LOG.log(Level.WARNING, what + " is a dead letter (GET /dead-letters): " + error);
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

    /** A message came after a later one of its sender. It changed nothing; of an attempt it is kept that this is so. */
    public void overtaken(InboxKey message, String error) {
        OptionalLong letter = letter(message);
        if (letter.isPresent()) {
            soon("the dead letter " + letter.getAsLong() + " is tried once more", () -> {
                store.overtaken(message.tenant(), letter.getAsLong(), error);
                warn("the message of the dead letter " + letter.getAsLong(), error);
            });
        }
    }

    /** Whether a message is another attempt of one that could not be taken up. */
    public static boolean isAttempt(InboxKey message) {
        return message.source().equals(SOURCE);
    }

    /** Pairs of runs between which a message could not be taken up: see {@link DeadLetterStore#pairs}. */
    public List<Pair> pairs(Shard shard, Optional<Pair> after, int limit) throws JournalException {
        return config.enabled() ? store.pairs(shard, after, limit) : List.of();
    }

    /** Whether messages of a pair are kept here. */
    public boolean has(Pair pair) throws JournalException {
        return config.enabled() && store.has(pair);
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
                run,
                () -> soon("a run that was set aside is no dead letter yet", () -> {
                    if (store.failed(poison, config).dead()) {
                        warn("the run " + run.run() + ", which was set aside,", reason);
                    }
                }));
    }

    /** Somebody has taken up a run again: if it was set aside, it is looked at whether it goes on, and its messages come again. */
    public void takenUp(RunKey run) {
        soon(
                "a run that was taken up again is still a dead letter",
                () -> store.dueAgain(run, Set.of(DeadSource.EXECUTION, DeadSource.MESSAGE)));
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
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, otherwise, e);
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
                LetterMessage.sender(message),
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
