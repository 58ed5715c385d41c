package dev.flowstone.kernel.aggregate;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who stands in line, first come first served, each once. Persistent; every change costs O(log n). */
final class Line<V> {
    private static final Line<?> EMPTY = new Line<Object>(LongMap.empty(), SortedTree.empty(), 0);

    private final LongMap<V> places;
    private final SortedTree<Waiter, Long> index;
    private final long next;

    private Line(LongMap<V> places, SortedTree<Waiter, Long> index, long next) {
        this.places = places;
        this.index = index;
        this.next = next;
    }

    @SuppressWarnings("unchecked")
    static <V> Line<V> empty() {
        return (Line<V>) EMPTY;
    }

    boolean holds(Waiter waiter) {
        return index.get(waiter) != null;
    }

    Line<V> with(Waiter waiter, V value) {
        return holds(waiter) ? this : new Line<>(places.with(next, value), index.with(waiter, next), next + 1);
    }

    Line<V> without(Waiter waiter) {
        Long place = index.get(waiter);
        return place == null ? this : new Line<>(places.without(place), index.without(waiter), next);
    }

    /** Null if nobody stands here. */
    @Nullable
    V first() {
        return places.isEmpty() ? null : places.get(places.firstKey());
    }

    int size() {
        return places.size();
    }

    /** In the order of the line. */
    List<V> values() {
        return places.values();
    }
}
