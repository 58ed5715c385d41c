package dev.flowstone.engine.mend;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Compares a run's rows with what its log says. Pure; of snapshots it says nothing, which only the fold can judge. */
public final class Differences {
    private static final String NONE = "missing";

    /** Databases cut times. */
    private static final Duration SAME = Duration.ofMillis(1);

    private Differences() {}

    /** All of them, in a fixed order: the head, timers by name, human tasks by activation. */
    public static List<Difference> of(Projection stored, Projection derived) {
        List<Difference> found = new ArrayList<>();
        head(found, "status", stored.status().toString(), derived.status().toString());
        head(found, "awake", Boolean.toString(stored.awake()), Boolean.toString(derived.awake()));
        timers(found, byName(stored.timers(), TimerRow::timer), byName(derived.timers(), TimerRow::timer));
        tasks(
                found,
                byName(stored.tasks(), HumanTaskRow::activation),
                byName(derived.tasks(), HumanTaskRow::activation));
        return found;
    }

    private static void head(List<Difference> found, String what, String stored, String derived) {
        if (!stored.equals(derived)) {
            found.add(new Difference(Difference.Part.HEAD, what, stored, derived));
        }
    }

    private static <K, V> Map<K, V> byName(List<V> rows, Function<V, K> name) {
        BinaryOperator<V> first = (one, _) -> one;
        return rows.stream().collect(Collectors.toMap(name, Function.identity(), first, TreeMap::new));
    }

    private static void timers(List<Difference> found, Map<TimerId, TimerRow> stored, Map<TimerId, TimerRow> derived) {
        TreeSet<TimerId> names = new TreeSet<>(stored.keySet());
        names.addAll(derived.keySet());
        for (TimerId name : names) {
            Optional<TimerRow> was = Optional.ofNullable(stored.get(name));
            Optional<TimerRow> is = Optional.ofNullable(derived.get(name));
            boolean same = was.isPresent()
                    && is.isPresent()
                    && was.get().generation() == is.get().generation()
                    && same(was.get().dueAt(), is.get().dueAt());
            if (!same) {
                found.add(new Difference(Difference.Part.TIMERS, "timer " + name, timer(was), timer(is)));
            }
        }
    }

    private static String timer(Optional<TimerRow> row) {
        return row.map(it -> "due " + it.dueAt() + " (generation " + it.generation() + ")")
                .orElse(NONE);
    }

    private static void tasks(
            List<Difference> found, Map<ActivationId, HumanTaskRow> stored, Map<ActivationId, HumanTaskRow> derived) {
        TreeSet<ActivationId> names = new TreeSet<>(stored.keySet());
        names.addAll(derived.keySet());
        for (ActivationId name : names) {
            Optional<HumanTaskRow> was = Optional.ofNullable(stored.get(name));
            Optional<HumanTaskRow> is = Optional.ofNullable(derived.get(name));
            if (was.isEmpty() || is.isEmpty() || !same(was.get(), is.get())) {
                found.add(new Difference(Difference.Part.TASKS, "task " + name, task(was), task(is)));
            }
        }
    }

    private static boolean same(HumanTaskRow was, HumanTaskRow is) {
        return same(was.openedAt(), is.openedAt())
                && new HashSet<>(was.assignees()).equals(new HashSet<>(is.assignees()))
                && was.claimedBy().equals(is.claimedBy())
                && was.dueAt().isPresent() == is.dueAt().isPresent()
                && same(was.dueAt().orElse(Instant.EPOCH), is.dueAt().orElse(Instant.EPOCH))
                && was.content().equals(is.content());
    }

    private static String task(Optional<HumanTaskRow> row) {
        return row.map(it -> "asks " + String.join(", ", it.assignees())
                        + it.claimedBy().map(who -> ", claimed by " + who).orElse("")
                        + it.dueAt().map(due -> ", due " + due).orElse(""))
                .orElse(NONE);
    }

    private static boolean same(Instant one, Instant other) {
        return Duration.between(one, other).abs().compareTo(SAME) < 0;
    }
}
