package dev.flowstone.testkit.memory;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.HeldRun;
import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.journal.StoredSubject;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The journal's transactions over the tables in memory. */
final class InMemoryJournal implements Journal {
    /** What marks a run that its scope holds. */
    private static final TimerId HOLD = new TimerId("hold");

    private final InMemoryDatabase database;

    InMemoryJournal(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public Committed commit(Commit commit) throws JournalException {
        synchronized (database) {
            database.checkEpoch(commit.lease());
            Set<RunKey> asked = checked(commit);
            Shard shard = commit.lease().shard();
            for (RunMove move : commit.moves()) {
                // All or nothing, as in PostgreSQL: whoever commits finds out by halves whom to refuse.
                if (isUnmoved(move)
                        && move.window().stream().anyMatch(row -> database.subjects.refuses(move.key(), row))) {
                    throw new JournalException.SubjectTaken("the subject of " + move.key() + " can't be had");
                }
            }
            Set<RunKey> moved = new HashSet<>();
            List<Feed.Moved> feedPart = new ArrayList<>();
            for (RunMove move : commit.moves()) {
                if (wins(move)) {
                    apply(shard, move);
                    moved.add(move.key());
                    feedPart.add(new Feed.Moved(move.key(), move.expectedSequence() + 1, move.newSequence()));
                }
            }
            commit.delivered().forEach(InMemoryDatabase.table(database.letters, shard.id())::remove);
            for (InboxKey key : commit.consumed()) {
                InboxMessage message = database.inbox.get(key);
                if (message != null) {
                    RunKey run = new RunKey(key.tenant(), message.run());
                    if (moved.contains(run) || !asked.contains(run)) {
                        database.inbox.remove(key);
                    }
                }
            }
            return new Committed(moved, database.clock.now(), appendFeed(shard, feedPart));
        }
    }

    private static Set<RunKey> checked(Commit commit) throws JournalException {
        Set<RunKey> asked = new HashSet<>();
        @Nullable RunKey before = null;
        for (RunMove move : commit.moves()) {
            if (before != null && before.compareTo(move.key()) >= 0) {
                throw new IllegalArgumentException("a commit's moves are sorted by key, each run once");
            }
            if (!commit.lease().shard().holds(move.key().run().slot())) {
                throw new IllegalArgumentException("the run " + move.key() + " lives in another shard");
            }
            StorableText.check(move);
            before = move.key();
            asked.add(before);
        }
        return asked;
    }

    private boolean isUnmoved(RunMove move) {
        RunRecord run = database.runs.get(move.key());
        return (run == null ? 0 : run.lastSequence()) == move.expectedSequence();
    }

    private boolean wins(RunMove move) {
        return isUnmoved(move)
                // Of two in one commit the first has it.
                && move.window().stream().noneMatch(row -> database.subjects.refuses(move.key(), row))
                && move.receipts().stream()
                        .noneMatch(r -> database.liveReceipt(r.key()).isPresent());
    }

    private void apply(Shard shard, RunMove move) {
        RunRecord run = database.runs.computeIfAbsent(move.key(), key -> new RunRecord(move));
        run.move(move);
        if (run.awake()) {
            InMemoryDatabase.table(database.awake, shard.id()).add(move.key());
        } else {
            InMemoryDatabase.table(database.awake, shard.id()).remove(move.key());
        }
        NavigableSet<TimerRow> timers = InMemoryDatabase.table(database.timers, shard.id());
        for (TimerRow row : move.timersSet()) {
            TimerRow old = run.timers.get(row.timer());
            if (old == null || old.generation() < row.generation()) {
                if (old != null) {
                    timers.remove(old);
                }
                run.timers.put(row.timer(), row);
                timers.add(row);
            }
        }
        for (TimerId gone : move.timersGone()) {
            TimerRow old = run.timers.remove(gone);
            if (old != null) {
                timers.remove(old);
            }
        }
        for (Receipt receipt : move.receipts()) {
            database.receipts.put(receipt.key(), receipt);
        }
        for (StoredPayload payload : move.payloads()) {
            database.payloads
                    .computeIfAbsent(move.key().tenant(), tenant -> new HashMap<>())
                    .putIfAbsent(payload.hash(), payload.bytes().clone());
        }
        NavigableMap<ActivationId, HumanTaskRow> tasks =
                database.humanTasks.computeIfAbsent(move.key(), key -> new TreeMap<>());
        move.tasksOpen().forEach(task -> tasks.put(task.activation(), task));
        move.tasksGone().forEach(tasks::remove);
        if (tasks.isEmpty()) {
            database.humanTasks.remove(move.key());
        }
        move.window().ifPresent(row -> database.subjects.put(move.key(), row));
        for (Letter letter : move.letters()) {
            InMemoryDatabase.table(database.letters, shard.id()).put(letter.key(), letter);
        }
        for (OutboxMessage message : move.outbox()) {
            Outbox.Pending pending = new Outbox.Pending(move.key(), message, 0);
            database.outbox.put(pending.key(), InMemoryDatabase.OutboxRow.fresh(pending, database.clock.now()));
        }
    }

    private long appendFeed(Shard shard, List<Feed.Moved> moved) {
        if (moved.isEmpty()) {
            return 0;
        }
        List<Feed.FeedRow> rows = InMemoryDatabase.table(database.feed, shard.stream());
        long number = rows.size() + 1L;
        rows.add(new Feed.FeedRow(shard.stream(), number, moved));
        return number;
    }

    @Override
    public Map<RunKey, StoredRun> load(ShardId shard, Collection<RunKey> runs) {
        return load(runs, RunRecord::stored);
    }

    @Override
    public Map<RunKey, StoredRun> loadWhole(ShardId shard, Collection<RunKey> runs) {
        return load(runs, RunRecord::whole);
    }

    private Map<RunKey, StoredRun> load(Collection<RunKey> runs, Function<RunRecord, StoredRun> form) {
        synchronized (database) {
            Map<RunKey, StoredRun> found = new LinkedHashMap<>();
            for (RunKey key : runs) {
                RunRecord run = database.runs.get(key);
                if (run != null) {
                    found.put(key, form.apply(run));
                }
            }
            return found;
        }
    }

    @Override
    public Map<ReceiptKey, Receipt> receipts(ShardId shard, Collection<ReceiptKey> keys) {
        synchronized (database) {
            Map<ReceiptKey, Receipt> found = new LinkedHashMap<>();
            for (ReceiptKey key : keys) {
                database.liveReceipt(key).ifPresent(receipt -> found.put(key, receipt));
            }
            return found;
        }
    }

    @Override
    public Map<SubjectKey, StoredSubject> subjects(ShardId shard, Collection<SubjectKey> keys) {
        synchronized (database) {
            return database.subjects.stored(keys);
        }
    }

    @Override
    public List<RunKey> awake(ShardId shard, Optional<RunKey> after, int limit) {
        synchronized (database) {
            NavigableSet<RunKey> awake = InMemoryDatabase.table(database.awake, shard);
            return after.<NavigableSet<RunKey>>map(key -> awake.tailSet(key, false)).orElse(awake).stream()
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public List<TimerRow> timers(ShardId shard, Instant before, Optional<TimerRow> after, int limit) {
        synchronized (database) {
            NavigableSet<TimerRow> timers = InMemoryDatabase.table(database.timers, shard);
            return after.<NavigableSet<TimerRow>>map(row -> timers.tailSet(row, false)).orElse(timers).stream()
                    .takeWhile(row -> row.dueAt().isBefore(before))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public List<HeldRun> held(ShardId shard, Optional<RunKey> after, int limit) {
        synchronized (database) {
            return InMemoryDatabase.table(database.timers, shard).stream()
                    .filter(row -> row.timer().equals(HOLD))
                    .map(TimerRow::run)
                    .filter(run -> after.isEmpty() || run.compareTo(after.get()) > 0)
                    .sorted()
                    .limit(limit)
                    .map(run -> new HeldRun(
                            run,
                            InMemoryDatabase.table(database.runs, run).row().workflow()))
                    .toList();
        }
    }

    @Override
    public List<Letter> letters(ShardId shard, Optional<LetterKey> after, int limit) {
        synchronized (database) {
            NavigableMap<LetterKey, Letter> letters = InMemoryDatabase.table(database.letters, shard);
            return after
                    .<NavigableMap<LetterKey, Letter>>map(key -> letters.tailMap(key, false))
                    .orElse(letters)
                    .values()
                    .stream()
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public List<RunId> resets(TenantId tenant, RunId of, int limit) {
        synchronized (database) {
            return database.receipts.keySet().stream()
                    .filter(key -> key.tenant().equals(tenant) && key.scope().equals(ReceiptKey.resets(of)))
                    .sorted()
                    .map(key -> RunId.parse(key.key()))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public Map<Sha256, byte[]> payloads(TenantId tenant, Collection<Sha256> hashes) {
        return payloads(database, tenant, hashes);
    }

    static Map<Sha256, byte[]> payloads(InMemoryDatabase database, TenantId tenant, Collection<Sha256> hashes) {
        synchronized (database) {
            Map<Sha256, byte[]> stored = database.payloads.getOrDefault(tenant, Map.of());
            Map<Sha256, byte[]> found = new LinkedHashMap<>();
            for (Sha256 hash : hashes) {
                byte[] bytes = stored.get(hash);
                if (bytes != null) {
                    found.put(hash, bytes.clone());
                }
            }
            return found;
        }
    }

    @Override
    public List<InboxMessage> inbox(Lease lease, int limit) throws JournalException {
        synchronized (database) {
            database.checkEpoch(lease);
            return database.inbox.values().stream()
                    .filter(message ->
                            lease.shard().holds(requireNonNull(message).run().slot()))
                    .sorted(Comparator.comparing(InboxMessage::receivedAt).thenComparing(InboxMessage::key))
                    .limit(limit)
                    .toList();
        }
    }
}
