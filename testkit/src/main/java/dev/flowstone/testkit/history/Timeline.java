package dev.flowstone.testkit.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Invocations and returns in the order of time, without those of the operations that were taken: two linked lists through arrays.
 * Operations are put back in the reverse order of their taking, each in constant time (Knuth's dancing links).
 */
final class Timeline {
    /** Before the first event and behind the last one. */
    static final int END = 0;

    private final int[] next;
    private final int[] previous;
    private final boolean[] returns;
    private final int[] operations;

    /** By operation, as is what follows; an operation of unknown end has no return. */
    private final int[] invocationOf;

    private final int[] returnOf;

    private record Event(long at, boolean returns, int operation) {}

    Timeline(List<? extends Operation<?, ?>> history) {
        List<Event> events = events(history);
        int size = events.size() + 1;
        next = new int[size];
        previous = new int[size];
        returns = new boolean[size];
        operations = new int[size];
        invocationOf = new int[history.size()];
        returnOf = new int[history.size()];
        for (int event = 1; event < size; event++) {
            Event known = events.get(event - 1);
            returns[event] = known.returns();
            operations[event] = known.operation();
            (known.returns() ? returnOf : invocationOf)[known.operation()] = event;
            previous[event] = event - 1;
            next[event - 1] = event;
        }
        previous[END] = size - 1;
        next[size - 1] = END;
    }

    /** Of what happens at the same tick, nothing is over before the other begins: invocations come first. */
    private static List<Event> events(List<? extends Operation<?, ?>> history) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            Operation<?, ?> operation = history.get(i);
            events.add(new Event(operation.invokedAt(), false, i));
            if (operation.ending() instanceof Ending.Returned<?> returned) {
                events.add(new Event(returned.at(), true, i));
            }
        }
        events.sort(Comparator.comparingLong(Event::at).thenComparing(Event::returns));
        return events;
    }

    int first() {
        return next[END];
    }

    int next(int event) {
        return next[event];
    }

    boolean isReturn(int event) {
        return returns[event];
    }

    int operation(int event) {
        return operations[event];
    }

    void take(int operation) {
        unlink(invocationOf[operation]);
        if (returnOf[operation] != END) {
            unlink(returnOf[operation]);
        }
    }

    /** Of those that are taken, the last. */
    void putBack(int operation) {
        if (returnOf[operation] != END) {
            link(returnOf[operation]);
        }
        link(invocationOf[operation]);
    }

    private void unlink(int event) {
        next[previous[event]] = next[event];
        previous[next[event]] = previous[event];
    }

    private void link(int event) {
        next[previous[event]] = event;
        previous[next[event]] = event;
    }
}
