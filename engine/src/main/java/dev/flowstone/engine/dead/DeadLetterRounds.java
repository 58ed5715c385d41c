package dev.flowstone.engine.dead;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetterStore.Taken;
import dev.flowstone.engine.dead.Retrier.Retried;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Shard;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Tries dead letters again that are due. A letter of a source that nobody here retries stays as it is. Thread-safe. */
public final class DeadLetterRounds {
    /**
     * What can't be taken up <i>yet</i> for so long after it failed first is dead; far less than receipts are kept, without which what
     * did start unseen would start twice.
     */
    public static final Duration OLDEST = Duration.ofDays(1);

    private static final System.Logger LOG = System.getLogger(DeadLetterRounds.class.getName());
    private static final int PAGE = 100;

    private final DeadLetterStore store;
    private final DeadLetterConfig config;
    private final Executor executor;
    private final Postponing postponing;
    private final Map<DeadSource, Retrier> retriers = new ConcurrentHashMap<>();

    /** @param executor on which is stored what came of an attempt */
    public DeadLetterRounds(DeadLetterStore store, DeadLetterConfig config, Executor executor) {
        this.store = requireNonNull(store);
        this.config = requireNonNull(config);
        this.executor = requireNonNull(executor);
        this.postponing = new Postponing(store, config);
    }

    /** What people call the place. */
    public String queue() {
        return config.queue();
    }

    /** Who retries a source's letters from now on. */
    public void retry(DeadSource source, Retrier retrier) {
        retriers.put(requireNonNull(source), requireNonNull(retrier));
    }

    /**
     * Begins the attempts that are due.
     *
     * @param mine the shards of this node
     * @return how many
     */
    public int round(Collection<Shard> mine) throws JournalException {
        postponing.store();
        if (!config.enabled() || mine.isEmpty() || retriers.isEmpty()) {
            return 0;
        }
        Taken taken = store.take(mine, Set.copyOf(retriers.keySet()), PAGE, config);
        taken.dead().forEach(letter -> warn(letter, letter.error()));
        taken.due().forEach(this::attempt);
        return taken.due().size();
    }

    private static void warn(DeadLetter letter, String error) {
        DeadLetterBox.warn("the letter " + letter.id() + " (" + letter.source() + " " + letter.key() + ")", error);
    }

    private void attempt(DeadLetter letter) {
        Retrier retrier = requireNonNull(retriers.get(letter.source()), "letters of other sources were asked for");
        CompletableFuture<Retried> answer;
        try {
            answer = retrier.retry(letter);
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        var _ = answer.whenCompleteAsync((retried, failure) -> conclude(letter, retried, failure), executor);
    }

    private void conclude(DeadLetter letter, @Nullable Retried retried, @Nullable Throwable failure) {
        try {
            switch (retried) {
                case Retried.Done _ -> store.resolved(letter);
                case Retried.Failed(DeadReason reason, String error) -> failed(letter, reason, error);
                case Retried.NotYet answer -> notYet(letter, answer);
                case Retried.Unknown _ -> {}
                case null -> failed(letter, DeadReason.POISON, String.valueOf(failure));
            }
        } catch (JournalException e) {
            LOG.log(
                    Level.WARNING,
                    "what came of the dead letter " + letter.id() + " can't be stored; it is tried again: "
                            + e.getMessage());
        } catch (RuntimeException e) {
            LOG.log(
                    Level.ERROR,
                    "what came of the dead letter " + letter.id() + " can't be stored; it is tried again",
                    e);
        }
    }

    private void notYet(DeadLetter letter, Retried.NotYet answer) throws JournalException {
        if (!postponing.isTooOld(letter)) {
            postponing.add(letter, answer);
            return;
        }
        String error = "it could not be taken up within a day: " + answer.why();
        DeadLetterConfig last = new DeadLetterConfig(config.enabled(), config.queue(), 0, config.delay());
        if (store.failed(letter.tenant(), letter.id(), DeadReason.EXHAUSTED, error, last)
                .dead()) {
            warn(letter, error);
        }
    }

    private void failed(DeadLetter letter, DeadReason reason, String error) throws JournalException {
        if (store.failed(letter.tenant(), letter.id(), reason, error, config).dead()) {
            warn(letter, error);
        }
    }
}
