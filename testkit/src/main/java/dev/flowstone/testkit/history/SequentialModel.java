package dev.flowstone.testkit.history;

import java.util.List;
import java.util.Optional;

/**
 * What a thing answers when it is asked one thing after the other, and how it changes by that. A model remembers nothing; all
 * that it knows is in the state.
 *
 * @param <S> states: values that never change, equal if they behave alike, with a {@code toString} for people
 * @param <I> what is asked
 * @param <O> what is answered
 */
public interface SequentialModel<S, I, O> {
    /** Before anything is asked. */
    S initial();

    /** The state after that answer; empty if it can't be the answer in that state. */
    Optional<S> step(S state, I input, O output);

    /**
     * The states in which the thing may be when it has done what was asked, and nobody heard the answer. That it did nothing
     * need not be among them: whoever asks knows that this is always possible.
     */
    List<S> steps(S state, I input);
}
