package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.ProgramFault.Code;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Cycles and reachability. */
final class GraphCheck {
    private final Program program;
    private final List<ProgramFault> faults;
    private final Set<NodeId> done = new HashSet<>();

    GraphCheck(Program program, List<ProgramFault> faults) {
        this.program = program;
        this.faults = faults;
    }

    void run() {
        for (Node node : program.nodes()) {
            if (isSettling(node) && !done.contains(node.id())) {
                search(node);
            }
        }
        unreachable();
    }

    private boolean isSettling(Node node) {
        return program.scope(node.scope()).kind() == Scope.Kind.SETTLING;
    }

    /** A depth-first walk inside one scope; an edge back to a node on the path closes a cycle. */
    private void search(Node root) {
        Map<NodeId, Iterator<Edge>> path = new LinkedHashMap<>();
        Deque<NodeId> stack = new ArrayDeque<>();
        enter(root.id(), path, stack);
        while (!stack.isEmpty()) {
            NodeId at = stack.getLast();
            Iterator<Edge> rest = path.getOrDefault(at, List.<Edge>of().iterator());
            if (!rest.hasNext()) {
                path.remove(at);
                stack.removeLast();
                done.add(at);
                continue;
            }
            Edge edge = rest.next();
            boolean inside = Topology.kind(program, edge) == Way.Kind.INNER;
            if (inside && path.containsKey(edge.to())) {
                cycle(edge, path);
            } else if (inside && !done.contains(edge.to())) {
                enter(edge.to(), path, stack);
            }
        }
    }

    private void enter(NodeId node, Map<NodeId, Iterator<Edge>> path, Deque<NodeId> stack) {
        path.put(node, program.outgoing(node).iterator());
        stack.addLast(node);
    }

    private void cycle(Edge back, Map<NodeId, Iterator<Edge>> path) {
        List<NodeId> nodes = new ArrayList<>(path.keySet());
        nodes = nodes.subList(nodes.indexOf(back.to()), nodes.size());
        String names = nodes.stream().map(NodeId::value).collect(Collectors.joining(" → ")) + " → " + back.to();
        faults.add(ProgramFault.of(Code.CYCLE, back, "these nodes wait for each other: " + names));
    }

    private void unreachable() {
        Set<NodeId> reached = new HashSet<>();
        Deque<NodeId> open = new ArrayDeque<>();
        open.add(program.root().entry());
        reached.add(program.root().entry());
        while (!open.isEmpty()) {
            for (Edge edge : program.outgoing(open.remove())) {
                if (reached.add(edge.to())) {
                    open.add(edge.to());
                }
            }
        }
        for (Node node : program.nodes()) {
            if (!reached.contains(node.id())) {
                faults.add(ProgramFault.of(Code.UNREACHABLE, node, "no path from the start leads to " + node.id()));
            }
        }
    }
}
