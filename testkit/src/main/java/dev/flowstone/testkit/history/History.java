package dev.flowstone.testkit.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Operations on one clock.
 *
 * @param operations in the order of their invocations
 * @param <I> what is asked
 * @param <O> what is answered
 */
public record History<I, O>(List<Operation<I, O>> operations) {
    public History {
        operations = operations.stream()
                .sorted(Comparator.comparingLong(Operation::invokedAt))
                .toList();
    }

    /**
     * The parts that are about one thing each. A history is linearizable if and only if each of them is, as long as no operation
     * is about two things (Herlihy and Wing 1990, theorem 1).
     *
     * @param key what an input is about
     */
    public <K> Map<K, History<I, O>> by(Function<? super I, ? extends K> key) {
        Map<K, List<Operation<I, O>>> parts = new LinkedHashMap<>();
        for (Operation<I, O> operation : operations) {
            parts.computeIfAbsent(key.apply(operation.input()), _ -> new ArrayList<>())
                    .add(operation);
        }
        Map<K, History<I, O>> histories = new LinkedHashMap<>();
        parts.forEach((about, part) -> histories.put(about, new History<>(part)));
        return Collections.unmodifiableMap(histories);
    }
}
