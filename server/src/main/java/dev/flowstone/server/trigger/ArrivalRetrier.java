package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.Retrier;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/** Starts again what came for triggers and failed to be started, by the triggers as they are now. */
public final class ArrivalRetrier implements Retrier {
    private final TriggerDesk desk;
    private final Launcher launcher;
    private final RemoteStarts elsewhere;
    private final Executor executor;

    /** @param executor on which it may wait */
    public ArrivalRetrier(TriggerDesk desk, Launcher launcher, RemoteStarts elsewhere, Executor executor) {
        this.desk = requireNonNull(desk);
        this.launcher = requireNonNull(launcher);
        this.elsewhere = requireNonNull(elsewhere);
        this.executor = requireNonNull(executor);
    }

    @Override
    public CompletableFuture<Retried> retry(DeadLetter letter) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return retried(letter);
                    } catch (JournalException e) {
                        throw new CompletionException(e);
                    }
                },
                executor);
    }

    private Retried retried(DeadLetter letter) throws JournalException {
        Arrival arrival = LostArrivals.arrival(letter);
        Optional<Trigger> trigger = desk.triggers().find(arrival.trigger());
        if (trigger.isEmpty()) {
            return new Retried.Failed(DeadReason.UNDELIVERABLE, "its trigger is gone");
        }
        Launched launched = launcher.attempt(
                trigger.get(), arrival, LostArrivals.payload(letter), LostArrivals.correlation(letter), () -> true);
        Optional<Result> there = launched.elsewhere()
                .flatMap(way -> elsewhere.signal(
                        way, trigger.get(), arrival, LostArrivals.payload(letter), LostArrivals.correlation(letter)));
        if (there.isEmpty() && launched.isForNow()) {
            return notYet(launched);
        }
        Result result = there.orElseGet(launched::result);
        return switch (result.outcome()) {
            case STARTED, REPEATED, SIGNALED, IGNORED -> {
                desk.settle(arrival, result);
                yield new Retried.Done();
            }
            case REFUSED -> refused(result);
        };
    }

    /** What another node has failed at is as what fails here, and nothing that whoever sent it could mend. */
    static Retried refused(Result result) {
        if (EventStarts.isForNow(result)) {
            return new Retried.NotYet(text(result), Duration.ZERO);
        }
        return new Retried.Failed(
                RemoteStarts.isFault(result) ? DeadReason.POISON : DeadReason.VALIDATION, text(result));
    }

    /** It comes again when whoever refused it said so, or later. */
    static Retried.NotYet notYet(Launched launched) {
        return new Retried.NotYet(text(launched.result()), launched.retryAfter());
    }

    private static String text(Result refused) {
        return refused.code().orElse("") + ": " + refused.detail().orElse("");
    }
}
