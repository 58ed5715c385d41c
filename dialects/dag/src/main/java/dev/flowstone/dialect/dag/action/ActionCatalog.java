package dev.flowstone.dialect.dag.action;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The actions that a definition may name. {@code core.delay} is the dialect's own and needs no entry.
 */
public interface ActionCatalog {
    /** The names of all enabled actions. */
    Set<String> names();

    /**
     * What is wrong with these parameters, as far as it can be known before their templates are filled in. Nothing, unless
     * an action declares otherwise.
     *
     * @param action one of {@link #names()}
     */
    default List<ParameterFault> check(String action, JsonObject parameters) {
        return List.of();
    }

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

    /** A catalogue of these names, which checks no parameters. */
    static ActionCatalog of(Collection<String> names) {
        Set<String> sorted = new TreeSet<>(names);
        return () -> sorted;
    }

    /**
     * One thing wrong with an action's parameters.
     *
     * @param pointer JSON pointer from the parameters' root
     */
    record ParameterFault(String pointer, String message, String remedy) {
        public ParameterFault {
            requireNonNull(pointer);
            requireNonNull(message);
            requireNonNull(remedy);
        }
    }
}
