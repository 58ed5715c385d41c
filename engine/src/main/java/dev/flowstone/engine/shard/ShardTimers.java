package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The near future of a shard's timers. Everything due before the horizon is in memory, read in pages in the database's
 * order; the rest stays where it is. A timer that is set or canceled changes memory only after its commit. Belongs to its
 * shard's loop.
 *
 * <pre>
 *          cursor (a page in progress)          readBefore           target = now + horizon
 *  ──────────┴───────────────────────────────────────┴──────────────────────┴────────▶ due
 *  in memory │ read by the next pages                │ left in the database
 * </pre>
 */
final class ShardTimers {
    private static final Comparator<TimerRow> ORDER =
            Comparator.comparing(TimerRow::dueAt).thenComparing(TimerRow::run).thenComparing(TimerRow::timer);

    private static final RunKey NOBODY = new RunKey(new TenantId("~"), RunId.of(Instant.EPOCH, new Slot(0), 0));

    private final Journal journal;
    private final ShardId shard;
    private final ShardConfig config;
    private final PriorityQueue<TimerRow> heap = new PriorityQueue<>(ORDER);

    /** The generation that counts, of every timer in the heap; the heap itself may hold void ones. */
    private final Map<Name, Integer> current = new HashMap<>();

    /** Timers due before this are in memory. */
    private Instant readBefore = Instant.MIN;

    private Optional<Instant> target = Optional.empty();
    private Optional<TimerRow> cursor = Optional.empty();

    ShardTimers(Journal journal, ShardId shard, ShardConfig config) {
        this.journal = journal;
        this.shard = shard;
        this.config = config;
    }

    /** Reads one page ahead, if the horizon has come near enough and there is room. */
    void refill(Instant now) throws JournalException {
        if (target.isEmpty()
                && !readBefore.isAfter(now.plus(config.timerHorizon().dividedBy(2)))) {
            target = Optional.of(now.plus(config.timerHorizon()));
            cursor = readBefore.equals(Instant.MIN) ? Optional.empty() : Optional.of(before(readBefore));
        }
        if (target.isEmpty() || current.size() >= config.timersInMemory()) {
            return;
        }
        List<TimerRow> page = journal.timers(shard, target.get(), cursor, config.timerPage());
        page.forEach(this::remember);
        if (page.size() < config.timerPage()) {
            readBefore = target.get();
            target = Optional.empty();
            cursor = Optional.empty();
        } else {
            cursor = Optional.of(page.getLast());
        }
    }

    /** A place just before all timers that are due at an instant. */
    private static TimerRow before(Instant due) {
        return new TimerRow(NOBODY, new TimerId("~"), 0, due.minusNanos(1_000));
    }

    /** Whether a page is still to be read that there is room for. */
    boolean reading() {
        return target.isPresent() && current.size() < config.timersInMemory();
    }

    /** A timer was set, durably. */
    void set(TimerRow row) {
        boolean near = row.dueAt().isBefore(readBefore)
                || cursor.map(at -> ORDER.compare(row, at) <= 0).orElse(false);
        if (near) {
            remember(row);
        } else {
            current.remove(new Name(row.run(), row.timer()));
        }
    }

    /** A timer fired or was canceled, durably. */
    void gone(RunKey run, TimerId timer) {
        current.remove(new Name(run, timer));
    }

    private void remember(TimerRow row) {
        Integer before = current.put(new Name(row.run(), row.timer()), row.generation());
        if (before == null || before != row.generation()) {
            heap.add(row);
        }
    }

    /**
     * Takes the timers that are due, at most so many. They count as fired from now on: whoever takes them must see them
     * through, or {@link #set} them again.
     */
    void take(Instant now, int limit, List<TimerRow> into) {
        while (into.size() < limit) {
            TimerRow first = peek();
            if (first == null || first.dueAt().isAfter(now)) {
                return;
            }
            heap.remove();
            current.remove(new Name(first.run(), first.timer()));
            into.add(first);
        }
    }

    /** When the next timer is due, or more must be read; in database time. */
    Instant next() {
        TimerRow first = peek();
        Instant read = target.isPresent()
                ? Instant.MAX
                : readBefore.equals(Instant.MIN)
                        ? Instant.MIN
                        : readBefore.minus(config.timerHorizon().dividedBy(2));
        return first != null && first.dueAt().isBefore(read) ? first.dueAt() : read;
    }

    /** When the first was due that is in memory; the end of time if none is. */
    Instant firstDue() {
        TimerRow first = peek();
        return first == null ? Instant.MAX : first.dueAt();
    }

    private @Nullable TimerRow peek() {
        while (true) {
            TimerRow first = heap.peek();
            if (first == null) {
                return null;
            }
            Integer generation = current.get(new Name(first.run(), first.timer()));
            if (generation != null && generation == first.generation()) {
                return first;
            }
            heap.remove();
        }
    }

    int size() {
        return current.size();
    }

    private record Name(RunKey run, TimerId timer) {}
}
