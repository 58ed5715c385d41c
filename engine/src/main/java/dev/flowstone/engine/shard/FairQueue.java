package dev.flowstone.engine.shard;

import dev.flowstone.kernel.id.TenantId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What tenants ask, or are owed, each tenant's in its order, tenants in turn: whoever asks much waits for itself. A turn is as many
 * as the tenant's weight. A queue that is bounded keeps room for others: who has eight times as much in it as is free is refused, so
 * that one tenant never fills it if it has nine places or more. Not thread-safe.
 */
final class FairQueue<T> {
    private static final int TO_FREE = 8;

    private final int most;
    private final ToIntFunction<TenantId> weight;
    private final Map<TenantId, Line<T>> lines = new HashMap<>();

    /** Those in which something waits; the first has the turn. */
    private final ArrayDeque<Line<T>> turns = new ArrayDeque<>();

    private int size;

    /** One that refuses nothing, for what is bounded elsewhere. */
    static <T> FairQueue<T> unbounded(ToIntFunction<TenantId> weight) {
        return new FairQueue<>(Integer.MAX_VALUE, weight);
    }

    FairQueue(int most, ToIntFunction<TenantId> weight) {
        this.most = most;
        this.weight = weight;
    }

    /** What one tenant waits with. */
    private static final class Line<T> {
        final TenantId tenant;
        final ArrayDeque<T> waiting = new ArrayDeque<>(4);

        /** How many more it may have taken before others have their turn. */
        int left;

        Line(TenantId tenant, int left) {
            this.tenant = tenant;
            this.left = left;
        }
    }

    /** False if there is no room for it. */
    boolean offer(TenantId tenant, T work) {
        int free = most - size;
        Line<T> line = lines.get(tenant);
        if (free <= 0 || (line != null && line.waiting.size() >= (long) TO_FREE * free)) {
            return false;
        }
        add(tenant, work);
        return true;
    }

    /** Takes it, whether there is room or not. */
    void add(TenantId tenant, T work) {
        Line<T> line = lines.get(tenant);
        if (line == null) {
            line = new Line<>(tenant, weight.applyAsInt(tenant));
            lines.put(tenant, line);
            turns.add(line);
        }
        line.waiting.add(work);
        size++;
    }

    /** The next one, taken out; null if nothing waits. */
    @Nullable
    T poll() {
        Line<T> line = turns.peek();
        if (line == null) {
            return null;
        }
        T next = line.waiting.remove();
        size--;
        line.left--;
        if (line.waiting.isEmpty()) {
            turns.remove();
            lines.remove(line.tenant);
        } else if (line.left == 0) {
            turns.remove();
            line.left = weight.applyAsInt(line.tenant);
            turns.add(line);
        }
        return next;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Shows all that waits, in no order. */
    void forEach(Consumer<? super T> action) {
        lines.values().forEach(line -> line.waiting.forEach(action));
    }

    /** Shows what each tenant has waited with longest. */
    void forEachFirst(Consumer<? super T> action) {
        lines.values().forEach(line -> action.accept(line.waiting.element()));
    }

    /** Takes everything out. */
    List<T> clear() {
        List<T> all = new ArrayList<>(size);
        forEach(all::add);
        lines.clear();
        turns.clear();
        size = 0;
        return all;
    }
}
