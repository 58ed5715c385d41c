package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.time.Instant;

/** Is told what the loops do, on their threads, so be brief; for metrics and measurements. */
public interface Observer {
    Observer NONE = new Observer() {};

    /** A round ended: so many commands were decided, so many runs moved. */
    default void round(ShardId shard, int decisions, int moved) {}

    /** One command was decided and the decision is durable. */
    default void decided(ShardId shard, Instant enqueuedAt, Instant committedAt) {}

    /** A run moved, and that is durable. */
    default void moved(RunKey run, long lastSequence, RunStatus status) {}

    /** A timer was taken so long after it was due. */
    default void timerLag(ShardId shard, Duration lag) {}

    /** A run was set aside. */
    default void setAside(RunKey run, String reason) {}
}
