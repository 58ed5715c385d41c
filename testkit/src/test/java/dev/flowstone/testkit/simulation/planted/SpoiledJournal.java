package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.HeldRun;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.journal.StoredSubject;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.journal.TimerRow;
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

/** A journal that does something else with commits, and before reads. */
class SpoiledJournal implements Journal {
    final Journal database;

    SpoiledJournal(Journal database) {
        this.database = database;
    }

    @Override
    public Committed commit(Commit commit) throws JournalException {
        return database.commit(commit);
    }

    /** Is called before every read. */
    void reading() throws JournalException {}

    @Override
    public Map<RunKey, StoredRun> load(ShardId shard, Collection<RunKey> runs) throws JournalException {
        reading();
        return database.load(shard, runs);
    }

    @Override
    public Map<RunKey, StoredRun> loadWhole(ShardId shard, Collection<RunKey> runs) throws JournalException {
        reading();
        return database.loadWhole(shard, runs);
    }

    @Override
    public Map<ReceiptKey, Receipt> receipts(ShardId shard, Collection<ReceiptKey> keys) throws JournalException {
        reading();
        return database.receipts(shard, keys);
    }

    @Override
    public Map<SubjectKey, StoredSubject> subjects(ShardId shard, Collection<SubjectKey> keys) throws JournalException {
        reading();
        return database.subjects(shard, keys);
    }

    @Override
    public List<RunKey> awake(ShardId shard, Optional<RunKey> after, int limit) throws JournalException {
        reading();
        return database.awake(shard, after, limit);
    }

    @Override
    public List<TimerRow> timers(ShardId shard, Instant before, Optional<TimerRow> after, int limit)
            throws JournalException {
        reading();
        return database.timers(shard, before, after, limit);
    }

    @Override
    public List<HeldRun> held(ShardId shard, Optional<RunKey> after, int limit) throws JournalException {
        reading();
        return database.held(shard, after, limit);
    }

    @Override
    public List<Letter> letters(ShardId shard, Optional<LetterKey> after, int limit) throws JournalException {
        reading();
        return database.letters(shard, after, limit);
    }

    @Override
    public List<RunId> resets(TenantId tenant, RunId of, int limit) throws JournalException {
        reading();
        return database.resets(tenant, of, limit);
    }

    @Override
    public Map<Sha256, byte[]> payloads(TenantId tenant, Collection<Sha256> hashes) throws JournalException {
        reading();
        return database.payloads(tenant, hashes);
    }

    @Override
    public List<InboxMessage> inbox(Lease lease, int limit) throws JournalException {
        reading();
        return database.inbox(lease, limit);
    }
}
