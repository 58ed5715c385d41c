package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.program.Node;

/** A join is written by its fork. */
final class JoinPiece implements ProgramPiece {
    @Override
    public Class<? extends Node> kind() {
        return Node.Join.class;
    }

    @Override
    public int weight() {
        return 0;
    }

    @Override
    public void write(Sketch sketch, String id) {
        throw new IllegalStateException("a join is written by its fork");
    }
}
