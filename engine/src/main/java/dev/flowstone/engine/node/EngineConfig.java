package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.effect.OutboxConfig;
import dev.flowstone.engine.limit.WorkClasses;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.Quotas;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.kernel.decision.Bounds;
import java.util.Optional;

/**
 * Everything that can be set about a node's engine.
 *
 * @param node this node's name, the holder of its leases; a name that survives a restart takes its shards back at once,
 *     another waits until the old leases have run out. Two living nodes never share one
 * @param bounds of decisions and runs; {@code inlineBytes} is also that of inputs and outputs
 * @param programs kept in memory
 * @param inputBytes of a start's input; a longer one is refused
 * @param quotas of tenants, on this node
 * @param classes of work
 * @param member as whom the node shares shards with others, by its own name; empty if it takes all that are free
 * @param deadLetters how often what could not be taken up is tried again
 */
public record EngineConfig(
        String node,
        ShardConfig shard,
        TaskConfig task,
        LeaseConfig lease,
        OutboxConfig outbox,
        Bounds bounds,
        int programs,
        long inputBytes,
        Quotas quotas,
        WorkClasses classes,
        Optional<Member> member,
        DeadLetterConfig deadLetters) {
    public EngineConfig {
        requireNonNull(node);
        requireNonNull(shard);
        requireNonNull(task);
        requireNonNull(lease);
        requireNonNull(outbox);
        requireNonNull(bounds);
        requireNonNull(quotas);
        requireNonNull(classes);
        requireNonNull(deadLetters);
        if (node.isEmpty() || node.length() > Member.MOST_CHARACTERS) {
            throw new IllegalArgumentException("a node's name has 1 to " + Member.MOST_CHARACTERS + " characters");
        }
        if (member.isPresent() && !member.get().name().equals(node)) {
            throw new IllegalArgumentException("a node shares shards under its own name");
        }
    }

    /** The defaults. */
    public static EngineConfig of(String node) {
        return new EngineConfig(
                node,
                ShardConfig.DEFAULT,
                TaskConfig.DEFAULT,
                LeaseConfig.DEFAULT,
                OutboxConfig.DEFAULT,
                Bounds.DEFAULT,
                1_000,
                16 << 20,
                Quotas.NONE,
                WorkClasses.NONE,
                Optional.empty(),
                DeadLetterConfig.DEFAULT);
    }

    public EngineConfig withShard(ShardConfig config) {
        return new EngineConfig(
                node, config, task, lease, outbox, bounds, programs, inputBytes, quotas, classes, member, deadLetters);
    }

    public EngineConfig withTask(TaskConfig config) {
        return new EngineConfig(
                node, shard, config, lease, outbox, bounds, programs, inputBytes, quotas, classes, member, deadLetters);
    }

    public EngineConfig withLease(LeaseConfig config) {
        return new EngineConfig(
                node, shard, task, config, outbox, bounds, programs, inputBytes, quotas, classes, member, deadLetters);
    }

    public EngineConfig withOutbox(OutboxConfig config) {
        return new EngineConfig(
                node, shard, task, lease, config, bounds, programs, inputBytes, quotas, classes, member, deadLetters);
    }

    public EngineConfig withBounds(Bounds limits) {
        return new EngineConfig(
                node, shard, task, lease, outbox, limits, programs, inputBytes, quotas, classes, member, deadLetters);
    }

    public EngineConfig withQuotas(Quotas ofTenants) {
        return new EngineConfig(
                node,
                shard,
                task,
                lease,
                outbox,
                bounds,
                programs,
                inputBytes,
                ofTenants,
                classes,
                member,
                deadLetters);
    }

    public EngineConfig withClasses(WorkClasses ofWork) {
        return new EngineConfig(
                node, shard, task, lease, outbox, bounds, programs, inputBytes, quotas, ofWork, member, deadLetters);
    }

    /** The node shares shards with others. */
    public EngineConfig withMember(Member self) {
        return new EngineConfig(
                node,
                shard,
                task,
                lease,
                outbox,
                bounds,
                programs,
                inputBytes,
                quotas,
                classes,
                Optional.of(self),
                deadLetters);
    }

    public EngineConfig withDeadLetters(DeadLetterConfig config) {
        return new EngineConfig(
                node, shard, task, lease, outbox, bounds, programs, inputBytes, quotas, classes, member, config);
    }
}
