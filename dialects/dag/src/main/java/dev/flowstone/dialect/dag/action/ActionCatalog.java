package dev.flowstone.dialect.dag.action;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.action.NamedActions;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The actions that a DAG may name. {@code core.delay} is the dialect's own: it needs no entry, but may be disabled. */
public interface ActionCatalog extends NamedActions {
    /**
     * What is wrong with these parameters, as far as it can be known before their templates are filled in. Nothing, unless
     * an action declares otherwise.
     *
     * @param action one of {@link #names()}
     */
    default List<ParameterFault> check(String action, JsonObject parameters) {
        return List.of();
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
