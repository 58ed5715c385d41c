package dev.flowstone.server.node;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.shard.SettledRun;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Tells several observers, in order. */
final class Watchers implements Observer {
    private final List<Observer> all;

    Watchers(Observer... all) {
        this.all = List.of(all);
    }

    @Override
    public void round(ShardId shard, int decisions, int moved) {
        all.forEach(one -> one.round(shard, decisions, moved));
    }

    @Override
    public void decided(ShardId shard, Instant enqueuedAt, Instant committedAt) {
        all.forEach(one -> one.decided(shard, enqueuedAt, committedAt));
    }

    @Override
    public void committed(ShardId shard, Duration took, List<? extends SettledRun> runs) {
        all.forEach(one -> one.committed(shard, took, runs));
    }

    @Override
    public void born(RunState state, Optional<StartRequest> start) {
        all.forEach(one -> one.born(state, start));
    }

    @Override
    public void moved(RunKey run, long lastSequence, RunStatus status) {
        all.forEach(one -> one.moved(run, lastSequence, status));
    }

    @Override
    public void timerLag(ShardId shard, Duration lag) {
        all.forEach(one -> one.timerLag(shard, lag));
    }

    @Override
    public void setAside(RunKey run, String reason) {
        all.forEach(one -> one.setAside(run, reason));
    }

    @Override
    public void began(HandlerName handler, Duration waited) {
        all.forEach(one -> one.began(handler, waited));
    }

    @Override
    public void attempted(HandlerName handler, Duration took, TaskAnswer answer) {
        all.forEach(one -> one.attempted(handler, took, answer));
    }

    @Override
    public void settled(List<Ended> deliveries) {
        all.forEach(one -> one.settled(deliveries));
    }
}
