package dev.flowstone.engine.shard;

import dev.flowstone.engine.effect.DeliveryObserver;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.task.TaskObserver;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Is told what the engine does, on the threads that do it, so be brief; for metrics and measurements. Who needs little
 * beside a count takes {@link #committed}, which is one call for all runs of a commit.
 */
public interface Observer extends TaskObserver, DeliveryObserver {
    Observer NONE = new Observer() {};

    /** A round ended: so many commands were decided, so many runs moved. */
    default void round(ShardId shard, int decisions, int moved) {}

    /** One command was decided and the decision is durable. */
    default void decided(ShardId shard, Instant enqueuedAt, Instant committedAt) {}

    /**
     * A commit is durable, its callers have been told. What it throws is logged, and changes nothing.
     *
     * @param took the commit alone, as this machine's clock saw it; nothing if its outcome had to be read afterwards
     * @param runs of which something was decided in it
     */
    default void committed(ShardId shard, Duration took, List<? extends SettledRun> runs) {}

    /**
     * A run has begun, and that is durable; nothing that it asks for has been handed out.
     *
     * @param start that was asked for; empty for a child
     */
    default void born(RunState state, Optional<StartRequest> start) {}

    /** A run moved, and that is durable. */
    default void moved(RunKey run, long lastSequence, RunStatus status) {}

    /** A timer was taken so long after it was due. */
    default void timerLag(ShardId shard, Duration lag) {}

    /** A run was set aside. */
    default void setAside(RunKey run, String reason) {}
}
