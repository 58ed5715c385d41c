package dev.flowstone.dialect.drawing;

import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Program;
import java.util.List;

/** Edges by their nodes' priorities: what comes first in the source is drawn further left, if nothing speaks against it. */
final class ReadingOrder {
    private ReadingOrder() {}

    static List<Edge> edges(Program program) {
        return program.nodes().stream()
                .flatMap(node -> program.outgoing(node.id()).stream())
                .toList();
    }
}
