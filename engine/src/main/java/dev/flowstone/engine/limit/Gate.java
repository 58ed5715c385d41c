package dev.flowstone.engine.limit;

import dev.flowstone.engine.time.Pace;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One limit, how much goes on within it, and the lines that wait for it to open, in order. Guarded by its {@link Gates}. */
public final class Gate {
    private final int most;
    private final @Nullable Pace pace;
    final ByClass<SequencedSet<Line>> parked = new ByClass<>(LinkedHashSet::new, Set::isEmpty);
    private int running;
    private long due;

    /**
     * An open one.
     *
     * @param most that may go on at once
     * @param pace at which they begin; null for any
     */
    Gate(int most, @Nullable Pace pace) {
        this.most = most;
        this.pace = pace;
    }

    boolean isOpen(long now) {
        return running < most && early(now) <= 0;
    }

    /** When it opens if nothing ends before; the end of time if it takes an end. */
    long opensAt(long now) {
        return running < most ? now + Math.max(0, early(now)) : Long.MAX_VALUE;
    }

    private long early(long now) {
        if (pace == null) {
            return 0;
        }
        long next = pace.next(due, now);
        // Sooner only if the clock was set back: kept, or what that allows would move on as time does.
        due = Math.min(due, next);
        return pace.early(next, now);
    }

    boolean isPaced() {
        return pace != null;
    }

    /** What goes on already has begun elsewhere: it uses up no rate. */
    void count() {
        running++;
    }

    void enter(long now) {
        count();
        if (pace != null) {
            due = pace.next(due, now) + pace.step();
        }
    }

    void leave() {
        running--;
    }

    int most() {
        return most;
    }

    int running() {
        return running;
    }
}
