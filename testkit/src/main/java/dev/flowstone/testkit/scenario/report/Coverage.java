package dev.flowstone.testkit.scenario.report;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How much of one definition all of its scenarios together reached: nodes that were entered, edges that were taken. Starts
 * and the ways from them, which every run takes, don't count.
 */
public record Coverage(String definition, int nodes, int edges, List<String> missingNodes, List<String> missingEdges) {
    public Coverage {
        requireNonNull(definition);
        missingNodes = List.copyOf(missingNodes);
        missingEdges = List.copyOf(missingEdges);
    }

    /** By definition, in the order of their names. */
    public static List<Coverage> of(Collection<ScenarioResult> results) {
        Map<String, Gathered> byDefinition = new TreeMap<>();
        for (ScenarioResult result : results) {
            Reached reached = result.reached();
            Gathered gathered = byDefinition.computeIfAbsent(
                    reached.definition(), _ -> new Gathered(reached.program(), new HashSet<>(), new HashSet<>()));
            gathered.nodes().addAll(reached.nodes());
            gathered.edges().addAll(reached.edges());
        }
        List<Coverage> all = new ArrayList<>();
        byDefinition.forEach((definition, gathered) -> all.add(of(definition, gathered)));
        return all;
    }

    private record Gathered(Program program, Set<String> nodes, Set<String> edges) {}

    private static Coverage of(String definition, Gathered gathered) {
        Program program = gathered.program();
        List<String> nodes = program.nodes().stream()
                .filter(node -> !(node instanceof Node.Start))
                .map(node -> node.id().value())
                .toList();
        List<String> edges = program.edges().stream()
                .filter(edge -> !(program.node(edge.from()) instanceof Node.Start))
                .map(Coverage::told)
                .toList();
        Set<String> taken = new HashSet<>();
        program.edges().stream()
                .filter(edge -> gathered.edges().contains(edge.id().value()))
                .forEach(edge -> taken.add(told(edge)));
        return new Coverage(
                definition,
                nodes.size(),
                edges.size(),
                nodes.stream().filter(it -> !gathered.nodes().contains(it)).toList(),
                edges.stream().filter(it -> !taken.contains(it)).toList());
    }

    /** The id, and what tells it from others between the same nodes. */
    private static String told(Edge edge) {
        String on = edge.on().name().equals("success") ? "" : " on " + edge.on() + (edge.otherwise() ? ", else" : "");
        return edge.id().value()
                + on
                + edge.policy()
                        .map(it -> " when policy " + it)
                        .or(() -> edge.when().map(it -> " when " + it))
                        .orElse("");
    }

    public int nodesReached() {
        return nodes - missingNodes.size();
    }

    public int edgesReached() {
        return edges - missingEdges.size();
    }

    /** Whole per cent, rounded down: 100 only if nothing is missing. */
    public static int percent(int reached, int all) {
        return all == 0 ? 100 : (int) (100L * reached / all);
    }
}
