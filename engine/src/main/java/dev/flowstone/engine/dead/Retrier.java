package dev.flowstone.engine.dead;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CompletableFuture;

/** Takes up letters of one source again. A letter may come twice, on two nodes even: what it asks for must happen once. */
@FunctionalInterface
public interface Retrier {
    /** Tries it; never blocks. A future that fails says the same as {@link Retried.Failed}, of poison. */
    CompletableFuture<Retried> retry(DeadLetter letter);

    /** What came of it. */
    sealed interface Retried {
        /** It was taken up: the letter is gone. */
        record Done() implements Retried {}

        /** It can't be taken up. */
        record Failed(DeadReason reason, String error) implements Retried {
            public Failed {
                requireNonNull(reason);
                requireNonNull(error);
            }
        }

        /** It can't be taken up yet, through no fault of its own: it is due again soon, and that was no retry. */
        record NotYet() implements Retried {}

        /** Not known yet: the {@link DeadLetterBox} is told, or the letter is due again after its delay. */
        record Unknown() implements Retried {}
    }
}
