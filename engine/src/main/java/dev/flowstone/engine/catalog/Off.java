package dev.flowstone.engine.catalog;

import java.util.Set;

/** The ids of all that operators have turned off. */
public record Off(Set<String> connectors, Set<String> actions) {
    public static final Off NOTHING = new Off(Set.of(), Set.of());

    public Off {
        connectors = Set.copyOf(connectors);
        actions = Set.copyOf(actions);
    }
}
