package dev.flowstone.testkit.history;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An operation under way. It ends once, in one of three ways; one that is never told its end is unknown.
 *
 * @param <I> what is asked
 * @param <O> what is answered
 */
public final class Call<I, O> {
    private final AtomicLong clock;
    private final String client;
    private final I input;
    private final long invokedAt;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Ending<O> ending = new Ending.Unknown<>();
    private volatile boolean refused;

    Call(AtomicLong clock, String client, I input) {
        this.clock = clock;
        this.client = requireNonNull(client);
        this.input = requireNonNull(input);
        this.invokedAt = clock.incrementAndGet();
    }

    /**
     * The answer has come.
     *
     * @throws IllegalStateException if it had ended
     */
    public void returned(O output) {
        end();
        ending = new Ending.Returned<>(clock.incrementAndGet(), output);
    }

    /**
     * Nothing was done, for sure, and the refusal says nothing of the state that it met: told busy, never sent. The history
     * leaves it out.
     *
     * @throws IllegalStateException if it had ended
     */
    public void refused() {
        end();
        refused = true;
    }

    /**
     * Nobody knows: no answer in time, a lost connection, an error that doesn't say whether anything was done. An answer that
     * comes still isn't told any more.
     *
     * @throws IllegalStateException if it had ended
     */
    public void unknown() {
        end();
    }

    private void end() {
        if (!ended.compareAndSet(false, true)) {
            throw new IllegalStateException("an operation ends once: " + client + ": " + input);
        }
    }

    /** As it stands; empty if it was refused. */
    Optional<Operation<I, O>> operation() {
        return refused ? Optional.empty() : Optional.of(new Operation<>(client, input, invokedAt, ending));
    }
}
