package dev.flowstone.testkit.history;

import static java.util.Objects.requireNonNull;

/**
 * How an operation ended, as far as its client knows.
 *
 * @param <O> what is answered
 */
public sealed interface Ending<O> {
    /**
     * The answer came.
     *
     * @param at tick of the history's clock, after the operation's invocation
     */
    record Returned<O>(long at, O output) implements Ending<O> {
        public Returned {
            requireNonNull(output);
        }
    }

    /** No answer came, or it was lost: the operation took effect at any time after its invocation, or never. */
    record Unknown<O>() implements Ending<O> {}
}
