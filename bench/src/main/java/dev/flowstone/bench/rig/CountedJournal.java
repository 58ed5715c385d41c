package dev.flowstone.bench.rig;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Ports;
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
import java.util.concurrent.atomic.LongAdder;

/** Counts what shards ask a journal: each call is one statement and one message each way. */
public final class CountedJournal implements Journal {
    private final Journal journal;
    private final LongAdder calls = new LongAdder();

    public CountedJournal(Journal journal) {
        this.journal = requireNonNull(journal);
    }

    /** Calls so far. */
    public long calls() {
        return calls.sum();
    }

    /** The same ports, counted here. */
    public Ports in(Ports ports) {
        return new Ports(
                this,
                ports.leases(),
                ports.outbox(),
                ports.inbox(),
                ports.runs(),
                ports.humanTasks(),
                ports.feed(),
                ports.workflows(),
                ports.clock(),
                ports.subjects(),
                ports.transactions(),
                ports.settings(),
                ports.policies());
    }

    private Journal counted() {
        calls.increment();
        return journal;
    }

    @Override
    public Committed commit(Commit commit) throws JournalException {
        return counted().commit(commit);
    }

    @Override
    public Map<RunKey, StoredRun> load(ShardId shard, Collection<RunKey> runs) throws JournalException {
        return counted().load(shard, runs);
    }

    @Override
    public Map<RunKey, StoredRun> loadWhole(ShardId shard, Collection<RunKey> runs) throws JournalException {
        return counted().loadWhole(shard, runs);
    }

    @Override
    public Map<ReceiptKey, Receipt> receipts(ShardId shard, Collection<ReceiptKey> keys) throws JournalException {
        return counted().receipts(shard, keys);
    }

    @Override
    public Map<SubjectKey, StoredSubject> subjects(ShardId shard, Collection<SubjectKey> keys) throws JournalException {
        return counted().subjects(shard, keys);
    }

    @Override
    public List<RunKey> awake(ShardId shard, Optional<RunKey> after, int limit) throws JournalException {
        return counted().awake(shard, after, limit);
    }

    @Override
    public List<TimerRow> timers(ShardId shard, Instant before, Optional<TimerRow> after, int limit)
            throws JournalException {
        return counted().timers(shard, before, after, limit);
    }

    @Override
    public List<HeldRun> held(ShardId shard, Optional<RunKey> after, int limit) throws JournalException {
        return counted().held(shard, after, limit);
    }

    @Override
    public List<Letter> letters(ShardId shard, Optional<LetterKey> after, int limit) throws JournalException {
        return counted().letters(shard, after, limit);
    }

    @Override
    public List<RunId> resets(TenantId tenant, RunId of, int limit) throws JournalException {
        return counted().resets(tenant, of, limit);
    }

    @Override
    public Map<Sha256, byte[]> payloads(TenantId tenant, Collection<Sha256> hashes) throws JournalException {
        return counted().payloads(tenant, hashes);
    }

    @Override
    public List<InboxMessage> inbox(Lease lease, int limit) throws JournalException {
        return counted().inbox(lease, limit);
    }
}
