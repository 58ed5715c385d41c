package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.program.Node;

/**
 * Writes one kind of node into a sketch, with whatever has to stand around it: a fork brings its branches and its join. Has
 * one way in, the node of the id that it is given, and one way out.
 */
public interface ProgramPiece {
    /** The kinds of node that it makes. */
    Class<? extends Node> kind();

    /** How often it is chosen, compared with the others; 0 for what the sketch places itself. */
    int weight();

    /** Writes it into the scope at hand. */
    void write(Sketch sketch, String id);
}
