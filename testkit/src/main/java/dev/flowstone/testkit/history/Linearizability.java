package dev.flowstone.testkit.history;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Says whether a history is linearizable: whether one thing that keeps to a model, and does one operation after the other, could
 * have given every answer, each at a moment between its operation's invocation and its return.
 *
 * <p>The question is NP-complete, so the search is bounded: by steps, each of which puts one operation behind those that are in
 * order already. A history of operations of which few overlap takes about as many steps as it has operations; each lost answer
 * may double them. Bounding the steps bounds the memory, too.
 */
public final class Linearizability {
    /** For one thing. */
    public static final long MOST_STEPS = 1_000_000;

    private Linearizability() {}

    /** Of a history that is about one thing. */
    public static <S, I, O> Verdict<I, O> check(History<I, O> history, SequentialModel<S, I, O> model) {
        return check(history, model, MOST_STEPS);
    }

    /**
     * The same.
     *
     * @param mostSteps after which it remains undecided
     */
    public static <S, I, O> Verdict<I, O> check(History<I, O> history, SequentialModel<S, I, O> model, long mostSteps) {
        return new Search<>(history.operations(), model).run(mostSteps);
    }

    /**
     * Of a history that is about many things, each of which keeps to the model alone.
     *
     * @param key what an input is about
     * @param mostSteps after which it remains undecided, for each of them
     */
    public static <K, S, I, O> Map<K, Verdict<I, O>> checkEach(
            History<I, O> history,
            Function<? super I, ? extends K> key,
            SequentialModel<S, I, O> model,
            long mostSteps) {
        Map<K, Verdict<I, O>> verdicts = new LinkedHashMap<>();
        history.<K>by(key).forEach((about, part) -> verdicts.put(about, check(part, model, mostSteps)));
        return Collections.unmodifiableMap(verdicts);
    }
}
