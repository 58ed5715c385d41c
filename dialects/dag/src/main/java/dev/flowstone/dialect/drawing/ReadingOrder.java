package dev.flowstone.dialect.drawing;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Edges by their nodes' priorities: what comes first in the source is drawn further left, if nothing speaks against it. A
 * fork opens its branches without edges of the program; a drawing has a line to where each begins.
 */
final class ReadingOrder {
    private ReadingOrder() {}

    static List<Edge> edges(Program program) {
        List<Edge> edges = new ArrayList<>();
        for (Node node : program.nodes()) {
            if (node instanceof Node.Fork fork) {
                entries(program, fork, edges);
            }
            edges.addAll(program.outgoing(node.id()));
        }
        return edges;
    }

    private static void entries(Program program, Node.Fork fork, List<Edge> into) {
        List<Scope> scopes =
                fork.branches().scopes().stream().map(program::scope).toList();
        for (int i = 0; i < scopes.size(); i++) {
            into.add(new Edge(
                    new EdgeId("entry " + into.size()),
                    fork.id(),
                    scopes.get(i).entry(),
                    Outcome.SUCCESS,
                    Optional.empty(),
                    false,
                    i,
                    Origin.COMPILER));
        }
    }

    /** Whether a line is no edge, but where a branch begins: forks themselves have edges for failures only. */
    static boolean isEntry(Program program, Edge edge) {
        return program.node(edge.from()) instanceof Node.Fork && edge.on().equals(Outcome.SUCCESS);
    }

    /** What a branch is called. */
    static String branch(Program program, Edge entry) {
        if (!(program.node(entry.from()) instanceof Node.Fork fork)) {
            return "";
        }
        return switch (fork.branches()) {
            case Branches.Static named -> named.branches().get(entry.priority()).name();
            case Branches.Each _ -> "for each";
        };
    }

    /** Whether the run went this way. */
    static boolean isTaken(Program program, Edge edge, RunOverlay run) {
        return isEntry(program, edge)
                ? run.nodes().containsKey(edge.to())
                : run.taken().contains(edge.id());
    }
}
