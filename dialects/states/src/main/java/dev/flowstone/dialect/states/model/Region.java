package dev.flowstone.dialect.states.model;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** States that lead to each other: the workflow's own, or those of one branch. */
public final class Region {
    private final @Nullable Region parent;
    private final String name;
    private final String start;
    private final String pointer;
    private final Map<String, StateDef> states = new TreeMap<>();

    /**
     * An empty one.
     *
     * @param parent the region around it; null for the workflow's own
     * @param name unique, of letters that a scope's id may have
     * @param pointer to its {@code start}
     */
    Region(@Nullable Region parent, String name, String start, String pointer) {
        this.parent = parent;
        this.name = requireNonNull(name);
        this.start = requireNonNull(start);
        this.pointer = requireNonNull(pointer);
    }

    void add(StateDef state) {
        states.put(state.name(), state);
    }

    public Optional<Region> parent() {
        return Optional.ofNullable(parent);
    }

    public String name() {
        return name;
    }

    public String start() {
        return start;
    }

    /** The state that it begins in, if it is there. */
    public Optional<StateDef> first() {
        return Optional.ofNullable(states.get(start));
    }

    public String pointer() {
        return pointer;
    }

    /** By name, sorted. */
    public Map<String, StateDef> states() {
        return states;
    }

    /** The state that a transition from here means: the nearest, looking outwards. */
    public Optional<StateDef> find(String state) {
        for (Region at = this; at != null; at = at.parent) {
            StateDef found = at.states.get(state);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }
}
