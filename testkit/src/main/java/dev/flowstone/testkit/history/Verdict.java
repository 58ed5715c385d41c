package dev.flowstone.testkit.history;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether a history is linearizable.
 *
 * @param <I> what was asked
 * @param <O> what was answered
 */
public sealed interface Verdict<I, O> {
    /** For people. */
    List<String> lines();

    /**
     * It is.
     *
     * @param order that explains every answer and keeps to real time; operations of unknown end that aren't in it never took
     *     effect, or none that anybody noticed
     */
    record Linearizable<I, O>(List<Operation<I, O>> order) implements Verdict<I, O> {
        public Linearizable {
            order = List.copyOf(order);
        }

        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("every answer is explained by this order:");
            order.forEach(operation -> lines.add("   " + operation));
            return lines;
        }
    }

    /**
     * It isn't: every order was tried.
     *
     * @param prefix the order that explains the most answers
     * @param state what it leaves
     * @param pending those of which one would have to be next, and none can be, in the order of their invocations
     * @param overdue that one of them which returned first
     */
    record NotLinearizable<I, O>(
            List<Operation<I, O>> prefix, String state, List<Operation<I, O>> pending, Operation<I, O> overdue)
            implements Verdict<I, O> {
        /** Of a long prefix the end is what matters. */
        private static final int SHOWN = 20;

        public NotLinearizable {
            prefix = List.copyOf(prefix);
            requireNonNull(state);
            pending = List.copyOf(pending);
            requireNonNull(overdue);
        }

        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("no order explains every answer; this one explains the most:");
            int left = Math.max(0, prefix.size() - SHOWN);
            if (left > 0) {
                lines.add("   … " + left + " before");
            }
            prefix.subList(left, prefix.size()).forEach(operation -> lines.add("   " + operation));
            lines.add("it leaves " + state);
            lines.add("one of these would have to be next, and none can be (> returned first):");
            pending.forEach(operation -> lines.add((operation.equals(overdue) ? " > " : "   ") + operation));
            return lines;
        }
    }

    /**
     * Nobody knows: the steps were used up.
     *
     * @param steps that were taken
     */
    record Undecided<I, O>(long steps) implements Verdict<I, O> {
        @Override
        public List<String> lines() {
            return List.of("undecided after " + steps + " steps");
        }
    }
}
