package dev.flowstone.testkit.history;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether a short history is linearizable, found out by trying all orders of its operations. Shares nothing with the search but
 * the model.
 */
final class EveryOrder {
    private EveryOrder() {}

    /** Of n operations there are n! orders: for up to seven. */
    static <S, I, O> boolean explains(History<I, O> history, SequentialModel<S, I, O> model) {
        return orders(history.operations()).stream().anyMatch(order -> isExplanation(order, model));
    }

    /** Whether this order keeps to real time, and gives the answers that were given. */
    static <S, I, O> boolean isExplanation(List<Operation<I, O>> order, SequentialModel<S, I, O> model) {
        return keepsToRealTime(order) && !states(order, model).isEmpty();
    }

    private static <I, O> boolean keepsToRealTime(List<Operation<I, O>> order) {
        for (int first = 0; first < order.size(); first++) {
            for (int then = first + 1; then < order.size(); then++) {
                if (order.get(then).ending() instanceof Ending.Returned<O> returned
                        && returned.at() < order.get(first).invokedAt()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** In which the thing may be at the end; none if some answer is wrong. What has an unknown end may have done nothing. */
    private static <S, I, O> Set<S> states(List<Operation<I, O>> order, SequentialModel<S, I, O> model) {
        Set<S> states = new HashSet<>();
        states.add(model.initial());
        for (Operation<I, O> operation : order) {
            Set<S> after = new HashSet<>();
            for (S state : states) {
                switch (operation.ending()) {
                    case Ending.Returned<O> returned ->
                        model.step(state, operation.input(), returned.output()).ifPresent(after::add);
                    case Ending.Unknown<O> _ -> {
                        after.add(state);
                        after.addAll(model.steps(state, operation.input()));
                    }
                }
            }
            states = after;
        }
        return states;
    }

    private static <T> List<List<T>> orders(List<T> of) {
        if (of.isEmpty()) {
            return List.of(List.of());
        }
        List<List<T>> orders = new ArrayList<>();
        for (int i = 0; i < of.size(); i++) {
            List<T> others = new ArrayList<>(of);
            T first = others.remove(i);
            for (List<T> rest : orders(others)) {
                List<T> order = new ArrayList<>();
                order.add(first);
                order.addAll(rest);
                orders.add(order);
            }
        }
        return List.copyOf(orders);
    }
}
