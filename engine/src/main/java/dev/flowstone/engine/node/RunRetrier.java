package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.Retrier;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.mend.MendAnswer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Has runs taken up again that were set aside. One that isn't set aside again within a second goes on. */
final class RunRetrier implements Retrier {
    private static final long SECONDS = 1;

    private final Function<RunKey, CompletableFuture<MendAnswer>> takeUp;
    private final Supplier<Set<RunKey>> setAside;
    private final Executor later;

    RunRetrier(
            Function<RunKey, CompletableFuture<MendAnswer>> takeUp, Supplier<Set<RunKey>> setAside, Executor executor) {
        this.takeUp = requireNonNull(takeUp);
        this.setAside = requireNonNull(setAside);
        this.later = CompletableFuture.delayedExecutor(SECONDS, TimeUnit.SECONDS, requireNonNull(executor));
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
                CompletableFuture.supplyAsync(
                        () -> setAside.get().contains(run) ? new Retried.Unknown() : new Retried.Done(), later);
            case MendAnswer.Over _, MendAnswer.Absent _ -> CompletableFuture.completedFuture(new Retried.Done());
            case MendAnswer.Damaged(String reason) ->
                CompletableFuture.completedFuture(new Retried.Failed(DeadReason.POISON, reason));
            case MendAnswer.Busy _ -> CompletableFuture.completedFuture(new Retried.Unknown());
        };
    }
}
