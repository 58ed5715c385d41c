package dev.flowstone.dialect.dag.graph;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.graph.Graph.Arc;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds circles by one depth-first search: every edge that leads back into the path it came by closes one, and is one
 * fault. Without these edges the graph has no circle, so that whoever repairs all of them is done.
 */
final class Cycles {
    private static final int SHOWN = 10;

    private final Graph graph;
    private final Faults faults;
    /** Where on the current path a vertex is, from 1; 0: not visited; -1: done. */
    private final int[] place;

    private final int[] nextArc;
    private final List<Integer> path = new ArrayList<>();
    private boolean found;

    Cycles(Graph graph, Faults faults) {
        this.graph = graph;
        this.faults = faults;
        this.place = new int[graph.size()];
        this.nextArc = new int[graph.size()];
    }

    /** Whether there is none. */
    boolean check() {
        graph.start().ifPresent(this::search);
        for (int vertex = 0; vertex < graph.size(); vertex++) {
            search(vertex);
        }
        return !found;
    }

    /** Without recursion: a chain of ten thousand nodes is as deep. */
    private void search(int root) {
        if (place[root] != 0) {
            return;
        }
        enter(root);
        while (!path.isEmpty()) {
            int vertex = path.getLast();
            List<Arc> arcs = graph.outgoing(vertex);
            if (nextArc[vertex] == arcs.size()) {
                path.removeLast();
                place[vertex] = -1;
                continue;
            }
            Arc arc = arcs.get(nextArc[vertex]++);
            if (place[arc.to()] == 0) {
                enter(arc.to());
            } else if (place[arc.to()] > 0) {
                closes(arc);
            }
        }
    }

    private void enter(int vertex) {
        path.add(vertex);
        place[vertex] = path.size();
    }

    private void closes(Arc arc) {
        found = true;
        List<Integer> circle = path.subList(place[arc.to()] - 1, path.size());
        faults.add(
                FaultCode.CYCLE,
                arc.pointer(),
                "this edge closes a circle: " + names(circle),
                "a workflow never comes back to a node: remove this edge or another one of the circle");
    }

    private String names(List<Integer> circle) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < circle.size(); i++) {
            if (i == SHOWN / 2 && circle.size() > SHOWN) {
                text.append("… (").append(circle.size() - SHOWN).append(" more) → ");
                i = circle.size() - SHOWN / 2;
            }
            text.append(name(circle.get(i))).append(" → ");
        }
        return text.append(name(circle.getFirst())).toString();
    }

    private String name(int vertex) {
        return graph.node(vertex).id().map(id -> Quoted.cut(id, 40)).orElse("(no id)");
    }
}
