package dev.flowstone.testkit.simulation.world;

/**
 * The end of a node in the middle of whatever it was doing. An error, because the engine catches exceptions, and a process
 * that dies catches nothing.
 */
final class NodeDied extends Error {
    private static final long serialVersionUID = 1L;

    NodeDied() {
        super("the node died", null, false, false);
    }
}
