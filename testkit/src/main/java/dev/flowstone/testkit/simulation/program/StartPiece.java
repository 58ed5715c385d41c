package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;

/** The entry. */
final class StartPiece implements ProgramPiece {
    @Override
    public Class<? extends Node> kind() {
        return Node.Start.class;
    }

    @Override
    public int weight() {
        return 0;
    }

    @Override
    public void write(Sketch sketch, String id) {
        sketch.add(new Node.Start(new NodeId(id), sketch.scope(), sketch.routing(), Origin.COMPILER));
    }
}
