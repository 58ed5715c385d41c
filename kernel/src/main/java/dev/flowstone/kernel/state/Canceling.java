package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.RunId;
import java.util.Optional;

/** Why a run is canceled or terminated, and which run takes its place. */
public record Canceling(String reason, boolean undoes, Optional<RunId> supersededBy) {}
