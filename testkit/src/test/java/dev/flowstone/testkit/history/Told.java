package dev.flowstone.testkit.history;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

/** A history by hand, and what is to be said of it: by the checker, and by trying every order. */
final class Told<S, I, O> {
    private final SequentialModel<S, I, O> model;
    private final List<Operation<I, O>> operations = new ArrayList<>();

    Told(SequentialModel<S, I, O> model) {
        this.model = model;
    }

    /** An operation that was invoked at the one tick and returned at the other. */
    Told<S, I, O> did(String client, long from, long to, I input, O output) {
        operations.add(new Operation<>(client, input, from, new Ending.Returned<>(to, output)));
        return this;
    }

    /** One of which nobody knows how it ended. */
    Told<S, I, O> lost(String client, long from, I input) {
        operations.add(new Operation<>(client, input, from, new Ending.Unknown<>()));
        return this;
    }

    History<I, O> history() {
        return new History<>(operations);
    }

    void canBe() {
        Verdict<I, O> verdict = Linearizability.check(history(), model);

        assertInstanceOf(Verdict.Linearizable.class, verdict, () -> String.join("\n", verdict.lines()));
        assertTrue(EveryOrder.explains(history(), model));
    }

    void cannotBe() {
        Verdict<I, O> verdict = Linearizability.check(history(), model);

        assertInstanceOf(Verdict.NotLinearizable.class, verdict, () -> String.join("\n", verdict.lines()));
        assertFalse(EveryOrder.explains(history(), model));
    }
}
