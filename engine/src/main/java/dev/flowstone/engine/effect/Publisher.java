package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Delivers messages of the outbox to one destination. Called by several threads at once; may block. */
@FunctionalInterface
public interface Publisher {
    /**
     * Delivers it; at least once, so hand the key to the other side.
     *
     * @return what the other side said, as evidence
     * @throws UndeliverableException if it will never be delivered: it becomes a dead letter at once
     * @throws RetryableException if it may go better next time, with what is known of the failure
     * @throws Exception if it may go better next time
     */
    Receipt deliver(Delivery delivery) throws Exception;

    /**
     * That it left.
     *
     * @param status of the answer, where there are such numbers
     */
    record Receipt(Optional<Integer> status) {
        /** Nothing to tell. */
        public static final Receipt NONE = new Receipt(Optional.empty());

        public Receipt {
            requireNonNull(status);
        }

        public static Receipt of(int status) {
            return new Receipt(Optional.of(status));
        }
    }

    /** No repetition will help. */
    final class UndeliverableException extends Exception {
        private static final long serialVersionUID = 1L;

        private final @Nullable Integer status;

        public UndeliverableException(String reason) {
            this(reason, null);
        }

        /** An answer with this status said so. */
        public UndeliverableException(String reason, @Nullable Integer status) {
            super(reason);
            this.status = status;
        }

        Optional<Integer> status() {
            return Optional.ofNullable(status);
        }
    }

    /** It may go better next time. */
    final class RetryableException extends Exception {
        private static final long serialVersionUID = 1L;

        private final @Nullable Integer status;
        private final @Nullable Duration pause;

        /**
         * A failure.
         *
         * @param status of the answer, if there was one
         * @param pause for which the other side asked to be left alone
         */
        public RetryableException(String reason, @Nullable Integer status, @Nullable Duration pause) {
            super(reason);
            this.status = status;
            this.pause = pause;
        }

        Optional<Integer> status() {
            return Optional.ofNullable(status);
        }

        Optional<Duration> pause() {
            return Optional.ofNullable(pause);
        }
    }
}
