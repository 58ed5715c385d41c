package dev.flowstone.architecture.planted;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The production timers of a shard by another name, rearranged: pages are read in two methods, what is due is found in one. */
final class Alarms {
    private static final Comparator<TimerRow> BY_TIME =
            Comparator.comparing(TimerRow::dueAt).thenComparing(TimerRow::run).thenComparing(TimerRow::timer);

    private final Journal database;
    private final ShardId part;
    private final Duration ahead;
    private final int most;
    private final int atOnce;
    private final PriorityQueue<TimerRow> bells = new PriorityQueue<>(BY_TIME);
    private final Map<String, Integer> valid = new TreeMap<>();
    private Instant known = Instant.MIN;
    private Optional<Instant> goal = Optional.empty();
    private Optional<TimerRow> place = Optional.empty();

    Alarms(Journal database, ShardId part, Duration ahead, int most, int atOnce) {
        this.database = database;
        this.part = part;
        this.ahead = ahead;
        this.most = most;
        this.atOnce = atOnce;
    }

    void look(Instant now) throws JournalException {
        if (goal.isEmpty() && !known.isAfter(now.plus(ahead.dividedBy(2)))) {
            goal = Optional.of(now.plus(ahead));
            place = known.equals(Instant.MIN)
                    ? Optional.empty()
                    : Optional.of(new TimerRow(
                            new RunKey(new TenantId("~"), RunId.of(Instant.EPOCH, new Slot(0), 0)),
                            new TimerId("~"),
                            0,
                            known.minusNanos(1_000)));
        }
        if (goal.isPresent() && valid.size() < most) {
            page();
        }
    }

    private void page() throws JournalException {
        List<TimerRow> rows = database.timers(part, goal.orElseThrow(), place, atOnce);
        rows.forEach(this::keep);
        if (rows.size() == atOnce) {
            place = Optional.of(rows.getLast());
            return;
        }
        known = goal.orElseThrow();
        goal = Optional.empty();
        place = Optional.empty();
    }

    void ring(TimerRow row) {
        if (row.dueAt().isBefore(known)
                || place.map(at -> BY_TIME.compare(row, at) <= 0).orElse(false)) {
            keep(row);
        } else {
            valid.remove(name(row.run(), row.timer()));
        }
    }

    void silence(RunKey run, TimerId timer) {
        valid.remove(name(run, timer));
    }

    private void keep(TimerRow row) {
        Integer before = valid.put(name(row.run(), row.timer()), row.generation());
        if (before == null || before != row.generation()) {
            bells.add(row);
        }
    }

    /** The next one that counts, taken if it is due. */
    @Nullable
    TimerRow due(Instant now) {
        TimerRow first = bells.peek();
        while (first != null) {
            Integer generation = valid.get(name(first.run(), first.timer()));
            boolean counts = generation != null && generation == first.generation();
            if (counts && first.dueAt().isAfter(now)) {
                return null;
            }
            bells.remove();
            if (counts) {
                valid.remove(name(first.run(), first.timer()));
                return first;
            }
            first = bells.peek();
        }
        return null;
    }

    private static String name(RunKey run, TimerId timer) {
        return run + "/" + timer;
    }
}
