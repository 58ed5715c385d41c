package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;

/** The end of a path, sometimes of everything. */
final class EndPiece implements ProgramPiece {
    @Override
    public Class<? extends Node> kind() {
        return Node.End.class;
    }

    @Override
    public int weight() {
        return 2;
    }

    @Override
    public void write(Sketch sketch, String id) {
        Outcome outcome = sketch.dice().percent(25) ? Outcome.FAILURE : Outcome.SUCCESS;
        sketch.add(new Node.End(
                new NodeId(id), sketch.scope(), outcome, sketch.dice().percent(33), new Origin("/nodes/" + id)));
    }
}
