package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.engine.trigger.TriggerSchedules.Scheduled;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is waiting, by tenants in turns: the first of each, then the second of each. */
final class SchedulePages {
    /** Schedules that are read together. */
    static final int PAGE = 500;

    /** Pages: the first ones of all, and while they are full, those of tenants that weren't in one. */
    private static final int MOST = 4;

    private final TriggerSchedules schedules;

    SchedulePages(TriggerSchedules schedules) {
        this.schedules = requireNonNull(schedules);
    }

    /**
     * What was found.
     *
     * @param isFull whether there may be more
     */
    record Found(List<Scheduled> schedules, boolean isFull) {
        Found {
            schedules = List.copyOf(schedules);
        }
    }

    Found waiting(Collection<Lease> mine, Instant until) throws JournalException {
        List<Scheduled> found = new ArrayList<>(schedules.waiting(mine, until, List.of(), PAGE));
        boolean isFull = found.size() == PAGE;
        Set<TenantId> there = new HashSet<>();
        int last = found.size();
        for (int page = 1; page < MOST && last == PAGE; page++) {
            found.forEach(it -> there.add(it.key().tenant()));
            List<Scheduled> more = schedules.waiting(mine, until, there, PAGE);
            found.addAll(more);
            last = more.size();
        }
        return new Found(isFull ? inTurns(found) : found, isFull);
    }

    private static List<Scheduled> inTurns(List<Scheduled> found) {
        Map<TenantId, Integer> counts = new HashMap<>();
        Map<TriggerKey, Integer> turns = new HashMap<>();
        for (Scheduled one : found) {
            turns.put(one.key(), counts.merge(one.key().tenant(), 1, Integer::sum));
        }
        return found.stream()
                .sorted(Comparator.comparingInt((Scheduled it) -> turns.getOrDefault(it.key(), 0))
                        .thenComparing(Scheduled::lookAt))
                .toList();
    }
}
