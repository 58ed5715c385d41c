package dev.flowstone.bench.load;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.time.Instant;

/** Two who watch one engine. */
public record ObserverPair(Observer first, Observer second) implements Observer {
    @Override
    public void round(ShardId shard, int decisions, int moved) {
        first.round(shard, decisions, moved);
        second.round(shard, decisions, moved);
    }

    @Override
    public void decided(ShardId shard, Instant enqueuedAt, Instant committedAt) {
        first.decided(shard, enqueuedAt, committedAt);
        second.decided(shard, enqueuedAt, committedAt);
    }

    @Override
    public void moved(RunKey run, long lastSequence, RunStatus status) {
        first.moved(run, lastSequence, status);
        second.moved(run, lastSequence, status);
    }

    @Override
    public void timerLag(ShardId shard, Duration lag) {
        first.timerLag(shard, lag);
        second.timerLag(shard, lag);
    }

    @Override
    public void setAside(RunKey run, String reason) {
        first.setAside(run, reason);
        second.setAside(run, reason);
    }
}
