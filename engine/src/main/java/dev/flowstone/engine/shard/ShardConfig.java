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
 * @param quietEvents events since the last snapshot that are worth one when a run goes quiet; a large one waits for as many
 *     bytes, too
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
        Copy copy = new Copy(this);
        copy.batch = commands;
        return copy.made();
    }

    public ShardConfig withBatchBytes(long bytes) {
        Copy copy = new Copy(this);
        copy.batchBytes = bytes;
        return copy.made();
    }

    public ShardConfig withStartQueue(int starts) {
        Copy copy = new Copy(this);
        copy.startQueue = starts;
        return copy.made();
    }

    public ShardConfig withCache(long bytes) {
        Copy copy = new Copy(this);
        copy.cacheBytes = bytes;
        return copy.made();
    }

    public ShardConfig withPayloads(long bytes) {
        Copy copy = new Copy(this);
        copy.payloadBytes = bytes;
        return copy.made();
    }

    public ShardConfig withSnapshots(int events, int quiet) {
        Copy copy = new Copy(this);
        copy.snapshotEvents = events;
        copy.quietEvents = quiet;
        return copy.made();
    }

    public ShardConfig withTimers(Duration horizon, int page, int inMemory) {
        Copy copy = new Copy(this);
        copy.timerHorizon = horizon;
        copy.timerPage = page;
        copy.timersInMemory = inMemory;
        return copy.made();
    }

    public ShardConfig withInboxPoll(Duration interval) {
        Copy copy = new Copy(this);
        copy.inboxPoll = interval;
        return copy.made();
    }

    public ShardConfig withReceiptLifetime(Duration lifetime) {
        Copy copy = new Copy(this);
        copy.receiptLifetime = lifetime;
        return copy.made();
    }

    public ShardConfig withRecoveryPage(int runs) {
        Copy copy = new Copy(this);
        copy.recoveryPage = runs;
        return copy.made();
    }

    /** All of it, to be changed in one place. */
    private static final class Copy {
        int batch;
        long batchBytes;
        int startQueue;
        long cacheBytes;
        long payloadBytes;
        int snapshotEvents;
        int quietEvents;
        Duration timerHorizon;
        int timerPage;
        int timersInMemory;
        Duration inboxPoll;
        int recoveryPage;
        Duration receiptLifetime;
        Duration retryBase;
        Duration retryCap;
        int tries;

        Copy(ShardConfig from) {
            this.batch = from.batch;
            this.batchBytes = from.batchBytes;
            this.startQueue = from.startQueue;
            this.cacheBytes = from.cacheBytes;
            this.payloadBytes = from.payloadBytes;
            this.snapshotEvents = from.snapshotEvents;
            this.quietEvents = from.quietEvents;
            this.timerHorizon = from.timerHorizon;
            this.timerPage = from.timerPage;
            this.timersInMemory = from.timersInMemory;
            this.inboxPoll = from.inboxPoll;
            this.recoveryPage = from.recoveryPage;
            this.receiptLifetime = from.receiptLifetime;
            this.retryBase = from.retryBase;
            this.retryCap = from.retryCap;
            this.tries = from.tries;
        }

        ShardConfig made() {
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
                    receiptLifetime,
                    retryBase,
                    retryCap,
                    tries);
        }
    }
}
