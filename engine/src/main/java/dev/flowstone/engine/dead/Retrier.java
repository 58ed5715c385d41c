package dev.flowstone.engine.dead;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
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

        /**
         * It can't be taken up yet, through no fault of its own: that was no retry. It is due again after a pause, which grows with its
         * attempts, unless it is too old ({@link DeadLetterRounds#OLDEST}).
         *
         * @param why for people
         * @param retryAfter no pause is shorter, up to an hour
         */
        record NotYet(String why, Duration retryAfter) implements Retried {
            public NotYet {
                requireNonNull(why);
                requireNonNull(retryAfter);
            }
        }

        /** Not known yet: the {@link DeadLetterBox} is told, or the letter is due again after its delay. */
        record Unknown() implements Retried {}
    }
}
