package dev.flowstone.testkit.history;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order, one operation at a time (Wing and Gong, <i>Testing and verifying concurrent objects</i>, 1993): next can
 * be any that was invoked before the first return of those that are left. Where the same operations have led to the same state
 * before, by another order, it turns round at once (Lowe, <i>Testing for linearizability</i>, 2017).
 *
 * <p>Operations of unknown end are tried behind those that returned, and only if they change something, since without them all
 * others remain as they are. So the search is over when all that returned are in order.
 */
final class Search<S, I, O> {
    private static final int NONE = -1;

    private final List<Operation<I, O>> operations;
    private final SequentialModel<S, I, O> model;
    private final Timeline timeline;
    private final List<Frame<S>> path = new ArrayList<>();
    private final BitSet taken;
    private final Set<Configuration<S>> seen = new HashSet<>();
    private int missing;
    private int fewestMissing = Integer.MAX_VALUE;
    private Verdict.@Nullable NotLinearizable<I, O> farthest;

    /** An operation that may be next, and what it leaves. */
    private record Move<S>(int operation, S after) {}

    /** Where the search stands: by which operation it came here, and where it may still go. */
    private record Frame<S>(int operation, S state, Iterator<Move<S>> moves) {}

    private record Configuration<S>(BitSet taken, S state) {}

    Search(List<Operation<I, O>> operations, SequentialModel<S, I, O> model) {
        this.operations = operations;
        this.model = model;
        this.timeline = new Timeline(operations);
        this.taken = new BitSet(operations.size());
        this.missing = (int) operations.stream().filter(Operation::isReturned).count();
    }

    /** To be called once. */
    Verdict<I, O> run(long mostSteps) {
        enter(NONE, model.initial());
        long steps = 0;
        while (!path.isEmpty()) {
            if (missing == 0) {
                return new Verdict.Linearizable<>(order());
            }
            Iterator<Move<S>> moves = path.getLast().moves();
            if (!moves.hasNext()) {
                turnRound();
            } else if (steps == mostSteps) {
                return new Verdict.Undecided<>(steps);
            } else {
                steps++;
                goOn(moves.next());
            }
        }
        return requireNonNull(farthest);
    }

    private void goOn(Move<S> move) {
        int operation = move.operation();
        taken.set(operation);
        if (!seen.add(new Configuration<>((BitSet) taken.clone(), move.after()))) {
            taken.clear(operation);
            return;
        }
        timeline.take(operation);
        missing -= operations.get(operation).isReturned() ? 1 : 0;
        enter(operation, move.after());
    }

    private void enter(int operation, S state) {
        path.add(new Frame<>(operation, state, moves(state)));
    }

    private void turnRound() {
        noteHowFarItCame();
        int operation = path.removeLast().operation();
        if (operation != NONE) {
            timeline.putBack(operation);
            taken.clear(operation);
            missing += operations.get(operation).isReturned() ? 1 : 0;
        }
    }

    private Iterator<Move<S>> moves(S state) {
        List<Move<S>> moves = new ArrayList<>();
        List<Move<S>> unknown = new ArrayList<>();
        for (int candidate : candidates()) {
            Operation<I, O> operation = operations.get(candidate);
            switch (operation.ending()) {
                case Ending.Returned<O> returned ->
                    model.step(state, operation.input(), returned.output())
                            .ifPresent(after -> moves.add(new Move<>(candidate, after)));
                case Ending.Unknown<O> _ ->
                    model.steps(state, operation.input()).stream()
                            .filter(after -> !after.equals(state))
                            .forEach(after -> unknown.add(new Move<>(candidate, after)));
            }
        }
        moves.addAll(unknown);
        return moves.iterator();
    }

    /** Those that were invoked before the first return of those that are left. */
    private List<Integer> candidates() {
        List<Integer> candidates = new ArrayList<>();
        int event = timeline.first();
        while (event != Timeline.END && !timeline.isReturn(event)) {
            candidates.add(timeline.operation(event));
            event = timeline.next(event);
        }
        return candidates;
    }

    private List<Operation<I, O>> order() {
        return path.stream()
                .mapToInt(Frame::operation)
                .filter(operation -> operation != NONE)
                .mapToObj(operations::get)
                .toList();
    }

    private void noteHowFarItCame() {
        if (missing < fewestMissing) {
            fewestMissing = missing;
            farthest = new Verdict.NotLinearizable<>(
                    order(), path.getLast().state().toString(), pending(), overdue());
        }
    }

    private List<Operation<I, O>> pending() {
        return candidates().stream().map(operations::get).toList();
    }

    /** The one that returns first. There is one, since some that returned are missing. */
    private Operation<I, O> overdue() {
        int event = timeline.first();
        while (!timeline.isReturn(event)) {
            event = timeline.next(event);
        }
        return operations.get(timeline.operation(event));
    }
}
