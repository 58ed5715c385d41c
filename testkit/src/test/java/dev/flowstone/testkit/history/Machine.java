package dev.flowstone.testkit.history;

import dev.flowstone.testkit.simulation.world.Dice;

/**
 * A thing that does one operation after the other, and what it is asked.
 *
 * @param <I> what is asked
 * @param <O> what is answered
 */
interface Machine<I, O> {
    I ask(Dice dice);

    /** Does it. */
    O answer(I input);

    /** What an answer to that may look like, whether it is right or wrong; does nothing. */
    O any(I input, Dice dice);
}
