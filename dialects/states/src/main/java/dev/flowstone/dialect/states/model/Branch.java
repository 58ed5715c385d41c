package dev.flowstone.dialect.states.model;

import static java.util.Objects.requireNonNull;

/**
 * A branch in one phase of a parallel state.
 *
 * @param phase from 0; barriers lie between phases
 */
public record Branch(String name, int phase, Region region) {
    public Branch {
        requireNonNull(name);
        requireNonNull(region);
    }
}
