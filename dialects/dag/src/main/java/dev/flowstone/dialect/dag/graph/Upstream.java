package dev.flowstone.dialect.dag.graph;

import dev.flowstone.dialect.dag.graph.Graph.Arc;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Answers many questions of the kind "can this node have run before that one". Sixty-four asked-about nodes at a time
 * flow through the graph as the bits of one word per node, so that ten thousand nodes that all refer to each other cost
 * a few million steps and no square of memory. The graph must be free of circles.
 */
public final class Upstream {
    private final Graph graph;
    private final int[] order;

    public Upstream(Graph graph) {
        this.graph = graph;
        this.order = topologicalOrder(graph);
    }

    /** Those questions whose earlier node is not upstream of the later one. */
    public Set<Question> refuted(Collection<Question> questions) {
        Map<Integer, List<Question>> byEarlier = new HashMap<>();
        for (Question question : questions) {
            byEarlier
                    .computeIfAbsent(question.earlier(), it -> new ArrayList<>())
                    .add(question);
        }
        List<Integer> asked = byEarlier.keySet().stream().sorted().toList();
        Set<Question> refuted = new HashSet<>();
        for (int from = 0; from < asked.size(); from += Long.SIZE) {
            List<Integer> block = asked.subList(from, Math.min(from + Long.SIZE, asked.size()));
            long[] above = flow(block);
            for (int bit = 0; bit < block.size(); bit++) {
                for (Question question : byEarlier.getOrDefault(block.get(bit), List.of())) {
                    if ((above[question.later()] & (1L << bit)) == 0) {
                        refuted.add(question);
                    }
                }
            }
        }
        return refuted;
    }

    /** For each vertex, which of the block are upstream of it. */
    private long[] flow(List<Integer> block) {
        long[] own = new long[graph.size()];
        for (int bit = 0; bit < block.size(); bit++) {
            own[block.get(bit)] = 1L << bit;
        }
        long[] above = new long[graph.size()];
        for (int vertex : order) {
            for (Arc arc : graph.outgoing(vertex)) {
                above[arc.to()] |= above[vertex] | own[vertex];
            }
        }
        return above;
    }

    private static int[] topologicalOrder(Graph graph) {
        int[] waiting = new int[graph.size()];
        for (int vertex = 0; vertex < graph.size(); vertex++) {
            graph.outgoing(vertex).forEach(arc -> waiting[arc.to()]++);
        }
        int[] order = new int[graph.size()];
        int end = 0;
        for (int vertex = 0; vertex < graph.size(); vertex++) {
            if (waiting[vertex] == 0) {
                order[end++] = vertex;
            }
        }
        for (int next = 0; next < end; next++) {
            for (Arc arc : graph.outgoing(order[next])) {
                if (--waiting[arc.to()] == 0) {
                    order[end++] = arc.to();
                }
            }
        }
        if (end < order.length) {
            throw new IllegalArgumentException("the graph has a circle");
        }
        return order;
    }

    /** Whether the one node comes before the other on some path. */
    public record Question(int earlier, int later) {}
}
