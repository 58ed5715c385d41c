package dev.flowstone.testkit.memory;

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
import java.util.concurrent.atomic.AtomicInteger;

/** A journal that fails when it is told to: before a commit, after it, or instead of it. Thread-safe. */
public final class FaultyJournal implements Journal {
    private final Journal journal;
    private final AtomicInteger commits = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger payloadReads = new AtomicInteger();
    private volatile Fault fault = (commit, to) -> to.commit(commit);
    private volatile boolean unreachable;
    private volatile Runnable beforePayloads = () -> {};

    public FaultyJournal(Journal journal) {
        this.journal = requireNonNull(journal);
    }

    /** What happens to a commit on its way to the journal. */
    @FunctionalInterface
    public interface Fault {
        Committed commit(Commit commit, Journal to) throws JournalException;
    }

    /** The same ports with a faulty journal between. */
    public static Ports in(Ports ports, FaultyJournal journal) {
        return new Ports(
                journal,
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
                ports.policies(),
                ports.projections(),
                ports.deadLetters());
    }

    /** Every commit from now on meets this. */
    public void on(Fault every) {
        this.fault = requireNonNull(every);
    }

    /** The next commit meets this, later ones nothing. */
    public void once(Fault next) {
        this.fault = (commit, to) -> {
            heal();
            return next.commit(commit, to);
        };
    }

    /** Each read of payloads waits for this from now on. */
    public void beforePayloads(Runnable wait) {
        this.beforePayloads = requireNonNull(wait);
    }

    public void heal() {
        this.fault = (commit, to) -> to.commit(commit);
        this.unreachable = false;
    }

    /** Nothing gets through, neither reads nor commits. */
    public void cut() {
        this.unreachable = true;
    }

    /** Commits that were asked for. */
    public int commits() {
        return commits.get();
    }

    /** Reads that were asked for. */
    public int reads() {
        return reads.get();
    }

    /** Those of them that asked for payloads. */
    public int payloadReads() {
        return payloadReads.get();
    }

    private void reach() throws JournalException {
        if (unreachable) {
            throw new JournalException.Unavailable("the network is cut");
        }
    }

    private Journal reading() throws JournalException {
        reads.incrementAndGet();
        reach();
        return journal;
    }

    @Override
    public Committed commit(Commit commit) throws JournalException {
        commits.incrementAndGet();
        reach();
        return fault.commit(commit, journal);
    }

    @Override
    public Map<RunKey, StoredRun> load(ShardId shard, Collection<RunKey> runs) throws JournalException {
        return reading().load(shard, runs);
    }

    @Override
    public Map<RunKey, StoredRun> loadWhole(ShardId shard, Collection<RunKey> runs) throws JournalException {
        return reading().loadWhole(shard, runs);
    }

    @Override
    public Map<ReceiptKey, Receipt> receipts(ShardId shard, Collection<ReceiptKey> keys) throws JournalException {
        return reading().receipts(shard, keys);
    }

    @Override
    public Map<SubjectKey, StoredSubject> subjects(ShardId shard, Collection<SubjectKey> keys) throws JournalException {
        return reading().subjects(shard, keys);
    }

    @Override
    public List<RunKey> awake(ShardId shard, Optional<RunKey> after, int limit) throws JournalException {
        return reading().awake(shard, after, limit);
    }

    @Override
    public List<TimerRow> timers(ShardId shard, Instant before, Optional<TimerRow> after, int limit)
            throws JournalException {
        return reading().timers(shard, before, after, limit);
    }

    @Override
    public List<HeldRun> held(ShardId shard, Optional<RunKey> after, int limit) throws JournalException {
        return reading().held(shard, after, limit);
    }

    @Override
    public List<Letter> letters(ShardId shard, Optional<LetterKey> after, int limit) throws JournalException {
        return reading().letters(shard, after, limit);
    }

    @Override
    public List<RunId> resets(TenantId tenant, RunId of, int limit) throws JournalException {
        return reading().resets(tenant, of, limit);
    }

    @Override
    public Map<Sha256, byte[]> payloads(TenantId tenant, Collection<Sha256> hashes) throws JournalException {
        payloadReads.incrementAndGet();
        beforePayloads.run();
        return reading().payloads(tenant, hashes);
    }

    @Override
    public List<InboxMessage> inbox(Lease lease, int limit) throws JournalException {
        return reading().inbox(lease, limit);
    }
}
