package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.Retrier;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.mend.MendAnswer;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Has runs taken up again that were set aside; what was written to them meanwhile comes with that. One that isn't set aside again
 * within half of the delay goes on.
 */
final class RunRetrier implements Retrier {
    private static final System.Logger LOG = System.getLogger(RunRetrier.class.getName());

    private final Function<RunKey, CompletableFuture<MendAnswer>> takeUp;
    private final Supplier<Set<RunKey>> setAside;
    private final Waking waking;
    private final Executor executor;
    private final Executor later;

    /** Has messages to a run tried at once. */
    @FunctionalInterface
    interface Waking {
        void wake(RunKey run) throws JournalException;
    }

    /** @param later of what is looked at when a run has had time to fail again */
    RunRetrier(
            Function<RunKey, CompletableFuture<MendAnswer>> takeUp,
            Supplier<Set<RunKey>> setAside,
            Waking waking,
            Executor executor,
            Executor later) {
        this.takeUp = requireNonNull(takeUp);
        this.setAside = requireNonNull(setAside);
        this.waking = requireNonNull(waking);
        this.executor = requireNonNull(executor);
        this.later = requireNonNull(later);
    }

    static RunRetrier of(
            Function<RunKey, CompletableFuture<MendAnswer>> takeUp,
            Supplier<Set<RunKey>> setAside,
            DeadLetterStore store,
            DeadLetterConfig config,
            Executor executor) {
        return new RunRetrier(
                takeUp,
                setAside,
                run -> store.dueAgain(run, Set.of(DeadSource.MESSAGE)),
                executor,
                CompletableFuture.delayedExecutor(config.delay().toMillis() / 2, TimeUnit.MILLISECONDS, executor));
    }

    @Override
    public CompletableFuture<Retried> retry(DeadLetter letter) {
        Optional<RunKey> run = letter.run().map(id -> new RunKey(letter.tenant(), id));
        return run.isEmpty()
                ? CompletableFuture.completedFuture(
                        new Retried.Failed(DeadReason.DESERIALIZATION, "it names no execution"))
                : takeUp.apply(run.get()).thenCompose(answer -> retried(run.get(), answer));
    }

    private CompletableFuture<Retried> retried(RunKey run, MendAnswer answer) {
        return switch (answer) {
            case MendAnswer.Mended _ ->
                wake(run)
                        .thenCompose(
                                woken -> woken ? look(run) : CompletableFuture.completedFuture(new Retried.Unknown()));
            case MendAnswer.Over _ -> wake(run).thenApply(woken -> woken ? new Retried.Done() : new Retried.Unknown());
            case MendAnswer.Absent _ -> CompletableFuture.completedFuture(new Retried.Done());
            case MendAnswer.Damaged(String reason) ->
                CompletableFuture.completedFuture(new Retried.Failed(DeadReason.POISON, reason));
            case MendAnswer.Busy _ -> CompletableFuture.completedFuture(new Retried.Unknown());
        };
    }

    private CompletableFuture<Retried> look(RunKey run) {
        return CompletableFuture.supplyAsync(
                () -> setAside.get().contains(run) ? new Retried.Unknown() : new Retried.Done(), later);
    }

    /** Messages to it are due at once, dead ones too: what comes now would wait for them. */
    private CompletableFuture<Boolean> wake(RunKey run) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        waking.wake(run);
                        return true;
                    } catch (JournalException e) {
                        LOG.log(Level.WARNING, "messages to the run " + run + " wait: " + e.getMessage());
                        return false;
                    }
                },
                executor);
    }
}
