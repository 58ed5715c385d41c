package dev.flowstone.testkit.scenario.report;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.program.Program;
import java.util.Set;

/**
 * Nodes and edges that a run reached.
 *
 * @param definition the definition's name
 */
public record Reached(String definition, Program program, Set<String> nodes, Set<String> edges) {
    public Reached {
        requireNonNull(definition);
        requireNonNull(program);
        nodes = Set.copyOf(nodes);
        edges = Set.copyOf(edges);
    }
}
