package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Program;
import java.util.Map;

/**
 * Where executions are to move.
 *
 * @param nodes new names of nodes by old ones
 */
record MigrationTarget(int version, Sha256 hash, Program program, Map<NodeId, NodeId> nodes) {
    MigrationTarget {
        requireNonNull(hash);
        requireNonNull(program);
        nodes = Map.copyOf(nodes);
    }

    ControlCommand command() {
        return new ControlCommand.MigrateRun(hash, version, nodes);
    }
}
