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
import java.util.Optional;
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
        Map<NodeId, Iterator<Step>> path = new LinkedHashMap<>();
        Deque<NodeId> stack = new ArrayDeque<>();
        enter(root.id(), path, stack);
        while (!stack.isEmpty()) {
            NodeId at = stack.getLast();
            Iterator<Step> rest = path.getOrDefault(at, List.<Step>of().iterator());
            if (!rest.hasNext()) {
                path.remove(at);
                stack.removeLast();
                done.add(at);
                continue;
            }
            Step step = rest.next();
            if (path.containsKey(step.to())) {
                cycle(step, path);
            } else if (!done.contains(step.to())) {
                enter(step.to(), path, stack);
            }
        }
    }

    private void enter(NodeId node, Map<NodeId, Iterator<Step>> path, Deque<NodeId> stack) {
        path.put(node, steps(program.node(node)).iterator());
        stack.addLast(node);
    }

    /** What waits for a node in its own scope. A fork with its branches and its join counts as one (R6). */
    private List<Step> steps(Node node) {
        List<Step> steps = new ArrayList<>();
        for (Edge edge : program.outgoing(node.id())) {
            if (Topology.kind(program, edge) == Way.Kind.INNER) {
                steps.add(new Step(edge.to(), Optional.of(edge)));
            }
        }
        if (node instanceof Node.Fork fork) {
            steps.add(new Step(fork.join(), Optional.empty()));
            Topology topology = program.topology();
            for (Way exit : topology.composite(topology.place(fork.id())).exits()) {
                steps.add(new Step(exit.edge().to(), Optional.of(exit.edge())));
            }
        }
        return steps;
    }

    private record Step(NodeId to, Optional<Edge> edge) {}

    private void cycle(Step back, Map<NodeId, Iterator<Step>> path) {
        List<NodeId> nodes = new ArrayList<>(path.keySet());
        nodes = nodes.subList(nodes.indexOf(back.to()), nodes.size());
        String names = nodes.stream().map(NodeId::value).collect(Collectors.joining(" → ")) + " → " + back.to();
        String message = "these nodes wait for each other: " + names;
        faults.add(back.edge()
                .map(edge -> ProgramFault.of(Code.CYCLE, edge, message))
                .orElseGet(() -> ProgramFault.of(Code.CYCLE, program.node(back.to()), message)));
    }

    private List<NodeId> next(Node node) {
        List<NodeId> next = new ArrayList<>();
        for (Edge edge : program.outgoing(node.id())) {
            next.add(edge.to());
        }
        if (node instanceof Node.Fork fork) {
            // Without any branch its join fires at once.
            next.add(fork.join());
            fork.branches()
                    .scopes()
                    .forEach(scope -> next.add(program.scope(scope).entry()));
        }
        return next;
    }

    private void unreachable() {
        Set<NodeId> reached = new HashSet<>();
        Deque<NodeId> open = new ArrayDeque<>();
        open.add(program.root().entry());
        reached.add(program.root().entry());
        while (!open.isEmpty()) {
            for (NodeId next : next(program.node(open.remove()))) {
                if (reached.add(next)) {
                    open.add(next);
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
