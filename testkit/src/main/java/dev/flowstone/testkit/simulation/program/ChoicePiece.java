package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;

/** A choice: its edges' conditions say where to go on. */
final class ChoicePiece implements ProgramPiece {
    @Override
    public Class<? extends Node> kind() {
        return Node.Choice.class;
    }

    @Override
    public int weight() {
        return 2;
    }

    @Override
    public void write(Sketch sketch, String id) {
        sketch.add(new Node.Choice(
                new NodeId(id), sketch.scope(), sketch.routing(), sketch.mayEnd(), new Origin("/nodes/" + id)));
    }
}
