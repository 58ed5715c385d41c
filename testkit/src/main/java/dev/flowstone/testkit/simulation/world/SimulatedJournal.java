package dev.flowstone.testkit.simulation.world;

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
import dev.flowstone.engine.journal.RunMove;
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

/** One node's way to the database: faults strike here, and every commit that gets through is watched. */
final class SimulatedJournal implements Journal {
    private final World world;
    private final Strikes strikes;
    private final Journal database;

    SimulatedJournal(World world, Strikes strikes, Journal database) {
        this.world = world;
        this.strikes = strikes;
        this.database = database;
    }

    @Override
    public Committed commit(Commit commit) throws JournalException {
        if (world.poison().isIn(commit)) {
            throw new JournalException.BadData("the database can't store this");
        }
        Committed committed = strikes.commit(commit, this::store);
        world.suspensions().told(commit.lease(), committed);
        return committed;
    }

    private Journal reading() throws JournalException {
        strikes.read();
        return database;
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
        return reading().payloads(tenant, hashes);
    }

    @Override
    public List<InboxMessage> inbox(Lease lease, int limit) throws JournalException {
        return reading().inbox(lease, limit);
    }

    /** A commit that really reaches the database. */
    private Committed store(Commit commit) throws JournalException {
        for (RunMove move : commit.moves()) {
            world.touch(move.key());
        }
        Committed committed = database.commit(commit);
        world.epochs().committed(commit.lease(), committed);
        world.stored(commit, committed);
        return committed;
    }
}
