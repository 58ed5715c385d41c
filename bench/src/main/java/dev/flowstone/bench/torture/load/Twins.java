package dev.flowstone.bench.torture.load;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.company.Rest.Answer;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * One call, under one key, that is sent to two nodes at the same time, and what each was told in the end.
 *
 * @param one empty if that is never known
 * @param other likewise
 */
record Twins(Optional<Answer> one, Optional<Answer> other) {
    Twins {
        requireNonNull(one);
        requireNonNull(other);
    }

    /** Asks again until both are known. */
    static Twins ask(Caller caller, int first, Caller.Try one, Caller.Try other) throws InterruptedException {
        try (ExecutorService beside = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Answer>> second = beside.submit(() -> caller.untilKnown(first + 1, other));
            try {
                return new Twins(caller.untilKnown(first, one), second.get());
            } catch (InterruptedException e) {
                beside.shutdownNow();
                throw e;
            } catch (ExecutionException e) {
                throw new IllegalStateException("a call at two nodes failed", e.getCause());
            }
        }
    }

    /** Whether both are known and what they say is not the same, in what matters of it. */
    boolean differ(Function<? super Answer, String> says) {
        return one.isPresent() && other.isPresent() && !one.map(says).equals(other.map(says));
    }
}
