package dev.flowstone.engine.effect;

/** Delivers messages of the outbox to one destination. Called by several threads at once; may block. */
@FunctionalInterface
public interface Publisher {
    /**
     * Delivers it; at least once, so hand the key to the other side.
     *
     * @throws UndeliverableException if it will never be delivered: it becomes a dead letter at once
     * @throws Exception if it may go better next time
     */
    void deliver(Delivery delivery) throws Exception;

    /** No repetition will help. */
    final class UndeliverableException extends Exception {
        private static final long serialVersionUID = 1L;

        public UndeliverableException(String reason) {
            super(reason);
        }
    }
}
