package dev.flowstone.dialect.action;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The actions that a definition may name, and those that it may not name any more. */
public interface NamedActions {
    /** The names of all enabled actions. */
    Set<String> names();

    /**
     * What is said of an action that there is, and that no new version of a workflow may name; empty for all others.
     *
     * @param action none of {@link #names()}
     */
    default Optional<String> disabled(String action) {
        return Optional.empty();
    }

    /**
     * What to use instead of an action; empty unless it is deprecated.
     *
     * @param action one of {@link #names()}
     */
    default Optional<String> deprecation(String action) {
        return Optional.empty();
    }

    /** These names, all enabled. */
    static NamedActions of(Collection<String> names) {
        Set<String> sorted = new TreeSet<>(names);
        return () -> sorted;
    }
}
