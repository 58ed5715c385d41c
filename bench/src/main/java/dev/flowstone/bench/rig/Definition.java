package dev.flowstone.bench.rig;

import static java.util.Objects.requireNonNull;

import java.util.Set;

/**
 * A workload's workflow, written as a user would write it.
 *
 * @param actions that it names beside the built-in ones
 */
public record Definition(String id, String source, Set<String> actions) {
    public Definition {
        requireNonNull(id);
        requireNonNull(source);
        actions = Set.copyOf(actions);
    }
}
