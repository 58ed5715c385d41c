package dev.flowstone.engine.shard;

import java.time.Duration;

/**
 * Bounds of one shard.
 *
 * @param batch commands in one commit
 * @param batchBytes payloads in one commit, about; of those that come with commands, and again of those that decisions make
 * @param startQueue starts that wait; beyond, they are refused as busy
 * @param cacheBytes states kept in memory, about
 * @param payloadBytes large values that conditions read, kept in memory; by their stored length, so that heap is a few
 *     times that
 * @param snapshotEvents events after which a snapshot is due; it also waits until as many bytes were logged as the last
 *     one had, so that snapshots never cost more than the log
 * @param quietEvents events since the last snapshot that are worth one when a run goes quiet
 * @param timerHorizon how far ahead timers are kept in memory
 * @param timerPage rows of one read of timers
 * @param timersInMemory timers that reading ahead stops at
 * @param inboxPoll how often the inbox is looked at
 * @param recoveryPage runs of one read after a takeover
 * @param receiptLifetime how long a request id is remembered
 * @param retryBase first pause when the database can't be reached
 * @param retryCap longest pause
 * @param tries of one command that keeps losing; beyond, the shard starts afresh
 */
public record ShardConfig(
        int batch,
        long batchBytes,
        int startQueue,
        long cacheBytes,
        long payloadBytes,
        int snapshotEvents,
        int quietEvents,
        Duration timerHorizon,
        int timerPage,
        int timersInMemory,
        Duration inboxPoll,
        int recoveryPage,
        Duration receiptLifetime,
        Duration retryBase,
        Duration retryCap,
        int tries) {
    public static final ShardConfig DEFAULT = new ShardConfig(
            500,
            16 << 20,
            10_000,
            64 << 20,
            8 << 20,
            200,
            50,
            Duration.ofSeconds(60),
            1_000,
            200_000,
            Duration.ofSeconds(1),
            500,
            Duration.ofDays(7),
            Duration.ofMillis(50),
            Duration.ofSeconds(2),
            20);

    public ShardConfig {
        if (batch < 1
                || startQueue < 1
                || timerPage < 1
                || recoveryPage < 1
                || tries < 1
                || timersInMemory < timerPage) {
            throw new IllegalArgumentException("a bound of a shard is at least 1");
        }
    }

    public ShardConfig withBatch(int commands) {
        return new ShardConfig(
                commands,
                batchBytes,
                startQueue,
                cacheBytes,
                payloadBytes,
                snapshotEvents,
                quietEvents,
                timerHorizon,
                timerPage,
                timersInMemory,
                inboxPoll,
                recoveryPage,
                receiptLifetime,
                retryBase,
                retryCap,
                tries);
    }

    public ShardConfig withBatchBytes(long bytes) {
        return new ShardConfig(
                batch,
                bytes,
                startQueue,
                cacheBytes,
                payloadBytes,
                snapshotEvents,
                quietEvents,
                timerHorizon,
                timerPage,
                timersInMemory,
                inboxPoll,
                recoveryPage,
                receiptLifetime,
                retryBase,
                retryCap,
                tries);
    }

    public ShardConfig withStartQueue(int starts) {
        return new ShardConfig(
                batch,
                batchBytes,
                starts,
                cacheBytes,
                payloadBytes,
                snapshotEvents,
                quietEvents,
                timerHorizon,
                timerPage,
                timersInMemory,
                inboxPoll,
                recoveryPage,
                receiptLifetime,
                retryBase,
                retryCap,
                tries);
    }

    public ShardConfig withCache(long bytes) {
        return new ShardConfig(
                batch,
                batchBytes,
                startQueue,
                bytes,
                payloadBytes,
                snapshotEvents,
                quietEvents,
                timerHorizon,
                timerPage,
                timersInMemory,
                inboxPoll,
                recoveryPage,
                receiptLifetime,
                retryBase,
                retryCap,
                tries);
    }

    public ShardConfig withPayloads(long bytes) {
        return new ShardConfig(
                batch,
                batchBytes,
                startQueue,
                cacheBytes,
                bytes,
                snapshotEvents,
                quietEvents,
                timerHorizon,
                timerPage,
                timersInMemory,
                inboxPoll,
                recoveryPage,
                receiptLifetime,
                retryBase,
                retryCap,
                tries);
    }

    public ShardConfig withSnapshots(int events, int quiet) {
        return new ShardConfig(
                batch,
                batchBytes,
                startQueue,
                cacheBytes,
                payloadBytes,
                events,
                quiet,
                timerHorizon,
                timerPage,
                timersInMemory,
                inboxPoll,
                recoveryPage,
                receiptLifetime,
                retryBase,
                retryCap,
                tries);
    }

    public ShardConfig withTimers(Duration horizon, int page, int inMemory) {
        return new ShardConfig(
                batch,
                batchBytes,
                startQueue,
                cacheBytes,
                payloadBytes,
                snapshotEvents,
                quietEvents,
                horizon,
                page,
                inMemory,
                inboxPoll,
                recoveryPage,
                receiptLifetime,
                retryBase,
                retryCap,
                tries);
    }

    public ShardConfig withInboxPoll(Duration interval) {
        return new ShardConfig(
                batch,
                batchBytes,
                startQueue,
                cacheBytes,
                payloadBytes,
                snapshotEvents,
                quietEvents,
                timerHorizon,
                timerPage,
                timersInMemory,
                interval,
                recoveryPage,
                receiptLifetime,
                retryBase,
                retryCap,
                tries);
    }

    public ShardConfig withReceiptLifetime(Duration lifetime) {
        return new ShardConfig(
                batch,
                batchBytes,
                startQueue,
                cacheBytes,
                payloadBytes,
                snapshotEvents,
                quietEvents,
                timerHorizon,
                timerPage,
                timersInMemory,
                inboxPoll,
                recoveryPage,
                lifetime,
                retryBase,
                retryCap,
                tries);
    }

    public ShardConfig withRecoveryPage(int runs) {
        return new ShardConfig(
                batch,
                batchBytes,
                startQueue,
                cacheBytes,
                payloadBytes,
                snapshotEvents,
                quietEvents,
                timerHorizon,
                timerPage,
                timersInMemory,
                inboxPoll,
                runs,
                receiptLifetime,
                retryBase,
                retryCap,
                tries);
    }
}
