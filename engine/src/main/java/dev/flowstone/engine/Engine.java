package dev.flowstone.engine;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.control.ScopeControl;
import dev.flowstone.engine.dead.DeadLetterRounds;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.mend.MendAnswer;
import dev.flowstone.engine.mend.MendRequest;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.task.RemoteTasks;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.policy.BundleFault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** One node's engine: owns shards, decides, commits, dispatches. Thread-safe. */
public interface Engine extends AutoCloseable {
    /** Starts a run; answers after the commit. Never blocks: a full queue answers {@link StartAnswer.Busy}. */
    CompletableFuture<StartAnswer> start(StartRequest request);

    /**
     * Starts a run that begins at a recorded point of another one (R26), which stays as it is; answers after the commit.
     * The other run's events are read on a thread beside the shards'.
     */
    CompletableFuture<StartAnswer> reset(ResetRequest request);

    /**
     * Asks something of a run that exists, or of a channel; answers after the commit. Never blocks: a full queue answers
     * {@link CallAnswer.Busy}.
     */
    CompletableFuture<CallAnswer> call(CallRequest request);

    /**
     * Does something about a run that stands still, by its shard's owner; answers when it is durable. Nothing of the run's history
     * changes, and it may be repeated. Never blocks: a full queue answers {@link MendAnswer.Busy}.
     */
    default CompletableFuture<MendAnswer> mend(MendRequest request) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("this engine mends nothing"));
    }

    /** What tries dead letters again: whoever leaves some of another source says here who retries them. */
    DeadLetterRounds deadLetters();

    /** What workers in other processes do for runs of this node's shards. */
    RemoteTasks remoteTasks();

    /** Holds whole scopes, and lets them go (R25). */
    ScopeControl control();

    /** What keeps a policy from being evaluated here; nothing if it may be published. */
    List<BundleFault> policyFaults(JsonObject bundle);

    /**
     * Tells, after each commit that moved the run, the number of its last event; on an engine thread, so be brief. Only
     * commits of this node are told: read the journal for the truth.
     *
     * @return ends the subscription
     */
    AutoCloseable onMoved(TenantId tenant, RunId run, Consumer<Long> listener);

    /** Who has this run's shard, if this node hasn't: another that can be asked. As it was seen last. */
    default Optional<Member> elsewhere(RunId run) {
        return Optional.empty();
    }

    /** The other nodes that have shards and can be asked. As it was seen last. */
    default List<Member> others() {
        return List.of();
    }

    /** Another node isn't what this one took it for: look again who has what. */
    default void lookAround() {}

    /** Those of the shards that this node works on now, each as long as nothing tells that it may be another's. */
    default List<Lease> leases() {
        return List.of();
    }

    /** Whether every owned shard takes commands, or others own all and this node stands by; what {@code /health/ready} asks. */
    boolean ready();

    /** Whether the database answered when it was last asked. */
    boolean reachesDatabase();

    /** Whether this node has actions and begins attempts of them; costs nothing to ask. */
    default boolean begins() {
        return ready();
    }

    /**
     * Stops in good order: takes no more commands, lets handlers finish within the grace, gives unfinished attempts back
     * unused, commits, releases the leases.
     */
    void stop(Duration grace);

    @Override
    default void close() {
        stop(Duration.ofSeconds(10));
    }
}
