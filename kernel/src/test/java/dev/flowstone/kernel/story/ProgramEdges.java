package dev.flowstone.kernel.story;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The edges of a program that is being built. The first of two nodes is {@code from->to}, later ones have a number. */
final class ProgramEdges {
    private final List<Edge> edges = new ArrayList<>();
    private final Map<String, Integer> twinsOf = new HashMap<>();

    List<Edge> all() {
        return List.copyOf(edges);
    }

    void add(
            String from,
            String to,
            Outcome on,
            Optional<String> when,
            boolean otherwise,
            int priority,
            Optional<Outcome> as) {
        String id = from + "->" + to;
        int twins = twinsOf.merge(id, 1, Integer::sum);
        edges.add(new Edge(
                new EdgeId(twins == 1 ? id : id + "/" + twins),
                new NodeId(from),
                new NodeId(to),
                on,
                when,
                otherwise,
                priority,
                as,
                new Origin("/edges/" + edges.size())));
    }
}
