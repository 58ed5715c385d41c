package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.node.EngineNode;
import dev.flowstone.engine.task.RemoteClaiming;
import java.time.Instant;
import java.util.Optional;

/**
 * A worker's claim that waits at a process of a node for something to come.
 *
 * @param incarnation of the node's processes
 * @param until when it has waited long enough
 */
record OpenClaim(SimulatedNode node, int incarnation, RemoteClaiming claiming, Instant until) {
    /** The process that it waits at, if that one still lives. */
    Optional<EngineNode> at() {
        return incarnation == node.incarnation() ? node.engine().map(up -> up.node()) : Optional.empty();
    }

    /** Whether an answer comes now. */
    boolean isAnswered(Instant now) {
        return node.runs() && (claiming.isOver() || !until.isAfter(now));
    }
}
