package dev.flowstone.engine.journal;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The engine's memory. Each method costs a fixed number of statements, however many runs it carries. Everything here is
 * the shard owner's; people read through {@link dev.flowstone.engine.read.RunReader}.
 */
public interface Journal {
    /**
     * Makes the moves of many runs durable in one transaction: checks the epoch, moves the run rows by compare-and-set,
     * and stores, of those that moved and only of those, entries, timers, snapshots, receipts, payloads, outbox messages,
     * edit windows and one feed row. Durable when it returns.
     *
     * @throws JournalException.SubjectTaken if some move can't have its subject; or that run just doesn't move
     */
    Committed commit(Commit commit) throws JournalException;

    /** The runs that exist, by key; one query for all. */
    Map<RunKey, StoredRun> load(ShardId shard, Collection<RunKey> runs) throws JournalException;

    /**
     * Runs that exist, by key, without their snapshots and with all of their entries; one query for all. For those whose
     * snapshots are of an earlier release.
     */
    Map<RunKey, StoredRun> loadWhole(ShardId shard, Collection<RunKey> runs) throws JournalException;

    /** The unexpired receipts that exist. */
    Map<ReceiptKey, Receipt> receipts(ShardId shard, Collection<ReceiptKey> keys) throws JournalException;

    /** The subjects that are known, by key; one query for all. */
    Map<SubjectKey, StoredSubject> subjects(ShardId shard, Collection<SubjectKey> keys) throws JournalException;

    /** Runs of the shard that are {@code awake}, in key order, after a key, at most a page. */
    List<RunKey> awake(ShardId shard, Optional<RunKey> after, int limit) throws JournalException;

    /** Timers of the shard due before an instant, in (due, run, timer) order, after a row, at most a page. */
    List<TimerRow> timers(ShardId shard, Instant before, Optional<TimerRow> after, int limit) throws JournalException;

    /** Runs of the shard that the setting of a scope holds, in key order, after a key, at most a page. */
    List<HeldRun> held(ShardId shard, Optional<RunKey> after, int limit) throws JournalException;

    /** Letters of the shard's runs that no commit has forgotten, in key order, after one, at most a page. */
    List<Letter> letters(ShardId shard, Optional<LetterKey> after, int limit) throws JournalException;

    /** The runs that began at a point of this one (R26), the oldest first, at most a page. */
    List<RunId> resets(TenantId tenant, RunId of, int limit) throws JournalException;

    /** Content by hash; what isn't there is left out. */
    Map<Sha256, byte[]> payloads(TenantId tenant, Collection<Sha256> hashes) throws JournalException;

    /** Inbox messages for the shard that no commit has consumed, oldest first, at most a page. */
    List<InboxMessage> inbox(Lease lease, int limit) throws JournalException;
}
