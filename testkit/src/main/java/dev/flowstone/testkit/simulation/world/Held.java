package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.task.RemoteName;
import dev.flowstone.engine.task.RemoteTask;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskResult;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An attempt that a worker works on. */
final class Held {
    final TaskCall call;
    final RemoteName name;
    final Instant ends;
    final TaskResult result;
    final Dice dice;
    String lease;
    SimulatedNode node;

    /** Of the node's processes. */
    int incarnation;

    /** Under which the node has the run's shard, as far as the worker heard: what it holds is given back when the shard is given away. */
    Optional<Lease> tenure = Optional.empty();

    /** When its lease runs out, by the node's clock. */
    Instant until;

    Instant due;

    @Nullable
    CompletableFuture<CallAnswer> asked;

    Instant askedAt = Instant.MIN;

    Held(RemoteTask task, SimulatedNode node, Handlers.Outside outside, Dice dice, Instant now) {
        this.call = task.call();
        this.name = new RemoteName(new RunKey(call.tenant(), call.run()), call.activation(), call.attempt());
        this.result = outside.result();
        this.dice = dice;
        this.ends = now.plus(outside.takes());
        this.lease = task.lease();
        this.node = node;
        this.incarnation = node.incarnation();
        this.until = task.until();
        this.due = RemoteWorker.earlier(ends, now.plus(RemoteWorker.BEAT));
    }
}
