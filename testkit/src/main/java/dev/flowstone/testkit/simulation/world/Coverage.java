package dev.flowstone.testkit.simulation.world;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** How often everything happened, by sort and name, over one seed or many. */
public final class Coverage {
    private final Map<Sort, Map<String, Long>> counts = new TreeMap<>();

    /** What is counted. */
    public enum Sort {
        /** Visits of nodes, by kind. */
        NODE,
        /** Decided commands, by kind. */
        COMMAND,
        /** Commands that moved their run, by kind: what is always refused is not tried. */
        ACCEPTED,
        /** Stored events, by kind. */
        EVENT,
        /** Faults that struck. */
        FAULT,
        /** What users and operators did. */
        ACTION,
        /** What callers were told who started something, by kind. */
        START,
        /** What became of attempts in the hands of workers outside. */
        WORKER,
        /** How policies came out, as it is stored. */
        POLICY,
        /** How runs stood at the end of their seed. */
        ENDING
    }

    public void count(Sort sort, String name) {
        counts.computeIfAbsent(sort, _ -> new TreeMap<>()).merge(name, 1L, Long::sum);
    }

    public void add(Coverage other) {
        other.counts.forEach((sort, names) -> names.forEach((name, count) ->
                counts.computeIfAbsent(sort, _ -> new TreeMap<>()).merge(name, count, Long::sum)));
    }

    public long of(Sort sort, String name) {
        return counts.getOrDefault(sort, Map.of()).getOrDefault(name, 0L);
    }

    /** All of one sort, by name. */
    public Map<String, Long> of(Sort sort) {
        return Map.copyOf(counts.getOrDefault(sort, Map.of()));
    }

    /** Those names that happened less often than that, each with how often it did. */
    public Map<String, Long> rare(Sort sort, Collection<String> names, long atLeast) {
        Map<String, Long> rare = new LinkedHashMap<>();
        for (String name : names) {
            if (of(sort, name) < atLeast) {
                rare.put(name, of(sort, name));
            }
        }
        return rare;
    }
}
