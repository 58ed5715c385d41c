package dev.flowstone.server.health;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.read.BacklogReader;
import dev.flowstone.engine.read.DeadRowReader;
import dev.flowstone.engine.stuck.StuckKind;
import dev.flowstone.engine.subscription.SubscriptionKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Where health is read from.
 *
 * @param node this one's name
 * @param ready whether it can serve
 * @param lease for how long one is granted
 * @param partitions up to when months have theirs, from that of an instant on
 * @param freeConnections of the database
 * @param freeDisk bytes of the database's disk, as far as it is this machine's
 * @param broken subscriptions to events
 * @param stuck runs that stand still, as last counted
 */
public record HealthSources(
        String node,
        BooleanSupplier ready,
        Leases leases,
        Duration lease,
        Supplier<NodeLoad> load,
        Optional<BacklogReader> backlog,
        Optional<DeadRowReader> deadRows,
        Optional<PartitionReader> partitions,
        Optional<CountReader> freeConnections,
        Supplier<Optional<Long>> freeDisk,
        BrokenReader broken,
        Supplier<Map<StuckKind, Long>> stuck) {
    /** Looks at the database. */
    @FunctionalInterface
    public interface PartitionReader {
        Instant readyUntil(Instant now) throws JournalException;
    }

    /** Counts something in the database. */
    @FunctionalInterface
    public interface CountReader {
        long read() throws JournalException;
    }

    /** Looks for subscriptions, at most so many. */
    @FunctionalInterface
    public interface BrokenReader {
        List<SubscriptionKey> read(int limit) throws JournalException;
    }

    public HealthSources {
        requireNonNull(node);
        requireNonNull(ready);
        requireNonNull(leases);
        requireNonNull(lease);
        requireNonNull(load);
        requireNonNull(backlog);
        requireNonNull(deadRows);
        requireNonNull(partitions);
        requireNonNull(freeConnections);
        requireNonNull(freeDisk);
        requireNonNull(broken);
        requireNonNull(stuck);
    }
}
