package dev.flowstone.testkit.history;

import static java.util.Objects.requireNonNull;

/**
 * Something that a client asked for, and what became of it.
 *
 * @param client who asked; for people, since also operations of one client may overlap
 * @param invokedAt tick of the history's clock
 * @param <I> what is asked
 * @param <O> what is answered
 */
public record Operation<I, O>(String client, I input, long invokedAt, Ending<O> ending) {
    public Operation {
        requireNonNull(client);
        requireNonNull(input);
        requireNonNull(ending);
        if (ending instanceof Ending.Returned<O> returned && returned.at() <= invokedAt) {
            throw new IllegalArgumentException(
                    "invoked at " + invokedAt + ", an operation can't return at " + returned.at());
        }
    }

    public boolean isReturned() {
        return ending instanceof Ending.Returned<O>;
    }

    /** Whether it had returned when the other one was invoked. */
    public boolean precedes(Operation<?, ?> other) {
        return ending instanceof Ending.Returned<O> returned && returned.at() < other.invokedAt();
    }

    /** For people: {@code [3, 7] anna: Read[…] → Decided[…]}. */
    @Override
    public String toString() {
        return switch (ending) {
            case Ending.Returned<O> returned ->
                "[" + invokedAt + ", " + returned.at() + "] " + client + ": " + input + " → " + returned.output();
            case Ending.Unknown<O> _ -> "[" + invokedAt + ", …] " + client + ": " + input + " → ?";
        };
    }
}
