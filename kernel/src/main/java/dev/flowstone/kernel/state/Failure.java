package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.NodeId;
import java.util.Optional;

/** Why a run fails, and where. */
public record Failure(TaskError error, Optional<NodeId> node) {}
