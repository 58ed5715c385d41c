package dev.flowstone.server.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * What is still well. Beyond ten times a limit, or below a tenth of one that is a least, it is worse than a warning.
 *
 * @param outboxPending messages that have not left
 * @param outboxOldest how long the first of them may have been due
 * @param inboxOldest how long a message may wait for its run
 * @param oldestTransaction how long a transaction may hold a snapshot
 * @param deadRows of one table
 * @param partitionsAhead how far ahead months must have their partition
 * @param freeConnections that the database must have left
 * @param freeDiskMegabytes that the embedded database's disk must have left
 * @param clockOffset between this node's clock and the database's
 */
public record HealthLimits(
        long outboxPending,
        Duration outboxOldest,
        Duration inboxOldest,
        Duration oldestTransaction,
        long deadRows,
        Duration partitionsAhead,
        int freeConnections,
        int freeDiskMegabytes,
        Duration clockOffset) {
    public HealthLimits {
        requireNonNull(outboxOldest);
        requireNonNull(inboxOldest);
        requireNonNull(oldestTransaction);
        requireNonNull(partitionsAhead);
        requireNonNull(clockOffset);
    }
}
