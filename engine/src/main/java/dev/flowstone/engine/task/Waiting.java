package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.WorkflowId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What waits in one line, in order. Of a run that has a bound only the first stands in the line, and only while its run has
 * room: the others are behind it in a queue of their own, so that a run that may do no more is in nobody's way, and one with
 * much to do takes turns with others. Guarded by the gates.
 */
final class Waiting<T> {
    private final Function<T, TaskRun> task;
    private final Runnable pass;
    private final SequencedSet<T> ready = new LinkedHashSet<>();
    private final Map<RunPlace, Bounded> queues = new HashMap<>();
    private final Map<WorkflowId, Integer> byWorkflow = new HashMap<>();
    private int size;

    /**
     * Nothing waits.
     *
     * @param pass lets the line begin what may
     */
    Waiting(Function<T, TaskRun> task, Runnable pass) {
        this.task = requireNonNull(task);
        this.pass = requireNonNull(pass);
    }

    /** Waits from now on. The line isn't told. */
    void add(T item) {
        count(item, 1);
        RunPlace place = task.apply(item).place;
        if (place == null) {
            ready.add(item);
            return;
        }
        place.count(1);
        Bounded queue = queues.computeIfAbsent(place, Bounded::new);
        queue.behind.add(item);
        queue.offer();
    }

    /** Whether the first might begin. */
    boolean isReady() {
        return !ready.isEmpty();
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Takes the first out of the line, to begin; empty if its run has no room any more. */
    Optional<T> take() {
        T item = ready.removeFirst();
        Bounded queue = queue(item);
        if (queue != null) {
            queue.first = null;
            if (!queue.place.hasRoom()) {
                queue.behind.addFirst(item);
                queue.offer();
                return Optional.empty();
            }
        }
        count(item, -1);
        return Optional.of(item);
    }

    /** What was taken has begun, or nobody wanted it any more: the next of its run may be in the line. */
    void taken(T item, boolean began) {
        Bounded queue = queue(item);
        if (queue == null) {
            return;
        }
        queue.place.count(-1);
        if (began) {
            queue.place.enter(task.apply(item));
        }
        queue.offer();
    }

    /** Waits no more; false if it didn't. */
    boolean remove(T item) {
        Bounded queue = queue(item);
        boolean waited = ready.remove(item);
        if (queue != null) {
            if (waited) {
                queue.first = null;
            } else {
                waited = queue.behind.remove(item);
            }
            if (waited) {
                queue.place.count(-1);
                queue.offer();
            }
        }
        if (waited) {
            count(item, -1);
        }
        return waited;
    }

    private void count(T item, int more) {
        size += more;
        WorkflowId workflow = task.apply(item).workflow();
        int now = byWorkflow.getOrDefault(workflow, 0) + more;
        if (now == 0) {
            byWorkflow.remove(workflow);
        } else {
            byWorkflow.put(workflow, now);
        }
    }

    /** How many wait, by the workflow of their run. */
    Map<WorkflowId, Integer> byWorkflow() {
        return Map.copyOf(byWorkflow);
    }

    /** The first of all that are of runs without a bound, and of each run with one: the one that has waited longest is among them. */
    Stream<T> firsts() {
        Stream<T> unbounded = ready.stream().filter(item -> queue(item) == null).limit(1);
        return Stream.concat(unbounded, queues.values().stream().map(Bounded::oldest));
    }

    /** Everything that waits, in no order in particular. */
    Stream<T> all() {
        return Stream.concat(ready.stream(), queues.values().stream().flatMap(queue -> queue.behind.stream()));
    }

    /** Takes everything. */
    List<T> clear() {
        List<T> all = new ArrayList<>(all().toList());
        all.forEach(this::remove);
        return all;
    }

    private @Nullable Bounded queue(T item) {
        RunPlace place = task.apply(item).place;
        return place == null ? null : queues.get(place);
    }

    /** What a run with a bound has in one line. */
    interface Queue {
        /** Its run has room again: its first stands in the line. */
        void comeBack();
    }

    private final class Bounded implements Queue {
        final RunPlace place;
        final SequencedSet<T> behind = new LinkedHashSet<>();

        /** The one that stands in the line. */
        @Nullable
        T first;

        Bounded(RunPlace place) {
            this.place = place;
        }

        T oldest() {
            return first != null ? first : behind.getFirst();
        }

        /** Its first goes into the line, or it stands aside, where it keeps its turn, or there is nothing left of it. */
        void offer() {
            if (first != null) {
                return;
            }
            if (behind.isEmpty()) {
                place.forget(this);
                queues.remove(place);
            } else if (place.hasRoom()) {
                place.forget(this);
                first = behind.removeFirst();
                ready.add(first);
            } else {
                place.standAside(this);
            }
        }

        @Override
        public void comeBack() {
            offer();
            pass.run();
        }
    }
}
