package dev.flowstone.dialect.states.lint;

import java.util.Set;

/** What is known of other workflows: which ones a workflow calls, by id. Nothing, for one that isn't known. */
@FunctionalInterface
public interface Callees {
    /** Knows none. */
    Callees NONE = workflow -> Set.of();

    Set<String> of(String workflow);
}
