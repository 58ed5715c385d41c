package dev.flowstone.testkit.memory;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.effect.SubjectMessage;
import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.mend.Projections;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.ArrayList;
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
import java.util.TreeSet;

/**
 * The database, in memory: everything that survives a node. Several nodes may share one, each through its own
 * {@link #ports()}; all tables are guarded by its monitor, so that a transaction is a synchronized block.
 */
public final class InMemoryDatabase {
    static final Comparator<TimerRow> BY_DUE =
            Comparator.comparing(TimerRow::dueAt).thenComparing(TimerRow::run).thenComparing(TimerRow::timer);

    final Clock clock;
    final List<Shard> shards;
    final NavigableMap<RunKey, RunRecord> runs = new TreeMap<>();
    final Map<ReceiptKey, Receipt> receipts = new HashMap<>();
    final Map<TenantId, Map<Sha256, byte[]>> payloads = new HashMap<>();
    final Map<ShardId, NavigableSet<TimerRow>> timers = new HashMap<>();
    final Map<ShardId, NavigableSet<RunKey>> awake = new HashMap<>();
    final Map<ShardId, NavigableMap<LetterKey, Letter>> letters = new HashMap<>();
    final NavigableMap<RunKey, NavigableMap<ActivationId, HumanTaskRow>> humanTasks = new TreeMap<>();
    final Map<Integer, List<Feed.FeedRow>> feed = new HashMap<>();
    final Map<InboxKey, InboxMessage> inbox = new LinkedHashMap<>();
    final Set<InboxKey> inboxSeen = new HashSet<>();
    final NavigableMap<OutboxKey, OutboxRow> outbox = new TreeMap<>();
    final Map<OutboxKey, List<OutboxControl.Attempt>> deliveries = new HashMap<>();
    final Map<OutboxKey, List<OutboxControl.Done>> deeds = new HashMap<>();
    final NavigableMap<Long, DeadLetterRow> deadLetters = new TreeMap<>();
    long lastDeadLetter;
    final Map<InMemoryDeadLetters.DeadLetterKey, List<OutboxControl.Done>> deadLetterDeeds = new HashMap<>();
    final List<ScopeSetting> settings = new ArrayList<>();
    private final Map<ShardId, LeaseRow> leases = new HashMap<>();
    final NavigableMap<String, NodeRow> nodes = new TreeMap<>();
    final SubjectTables subjects = new SubjectTables();
    final InMemoryTransactions.Table transactions = new InMemoryTransactions.Table();
    private final InMemoryPolicyStore policies = new InMemoryPolicyStore();
    private final WorkflowTables workflows = new WorkflowTables();

    /**
     * An empty database.
     *
     * @param clock the database's own time
     * @param shardCount how many ranges the slots are cut into
     */
    public InMemoryDatabase(Clock clock, int shardCount) {
        this.clock = requireNonNull(clock);
        List<Shard> cut = new ArrayList<>();
        for (int i = 0; i < shardCount; i++) {
            int first = i * Slot.COUNT / shardCount;
            int last = (i + 1) * Slot.COUNT / shardCount - 1;
            ShardId id = new ShardId(i);
            cut.add(new Shard(id, first, last, i + 1));
            timers.put(id, new TreeSet<>(BY_DUE));
            awake.put(id, new TreeSet<>());
            letters.put(id, new TreeMap<>());
            leases.put(id, new LeaseRow());
            feed.put(i + 1, new ArrayList<>());
        }
        this.shards = List.copyOf(cut);
    }

    /** Ports of one more node. */
    public Ports ports() {
        return new Ports(
                new InMemoryJournal(this),
                new InMemoryLeases(this),
                new InMemoryOutbox(this),
                new InMemoryInbox(this),
                new InMemoryRunReader(this),
                new InMemoryHumanTasks(this),
                new InMemoryFeed(this),
                new InMemoryWorkflowStore(workflows),
                clock,
                new InMemorySubjects(this),
                new InMemoryTransactions(this),
                new InMemorySettings(this),
                policies,
                Projections.NONE,
                new InMemoryDeadLetterStore(this));
    }

    /** Flips a bit in a stored entry, which no port can do; for tests of what must find it. */
    public synchronized void corrupt(RunKey run, int entryIndex, int byteIndex) {
        requireNonNull(runs.get(run), "no such run").corrupt(entryIndex, byteIndex);
    }

    /**
     * Removes what nobody needs any more, as a sweeper does: receipts that have expired, and snapshots of runs that are over.
     *
     * @return how many rows
     */
    public synchronized int sweep() {
        int before = receipts.size();
        receipts.values().removeIf(receipt -> !receipt.expiresAt().isAfter(clock.now()));
        int snapshots = 0;
        for (RunRecord run : runs.values()) {
            snapshots += run.status().isFinal() && run.forgetSnapshot() ? 1 : 0;
        }
        return before - receipts.size() + snapshots;
    }

    LeaseRow leaseRow(ShardId shard) {
        return requireNonNull(leases.get(shard), "no such shard");
    }

    void checkEpoch(Lease lease) throws JournalException.StaleEpoch {
        long epoch = leaseRow(lease.shard().id()).epoch;
        if (epoch != lease.epoch()) {
            throw new JournalException.StaleEpoch(
                    "shard " + lease.shard().id() + " is at epoch " + epoch + ", not " + lease.epoch());
        }
    }

    /** Leaves word for a run that its subject has another version. */
    void tell(RunKey run, long version) {
        SubjectMessage message = new SubjectMessage(version);
        InboxMessage word =
                new InboxMessage(message.key(run), run.run(), SubjectMessage.KIND, message.content(), clock.now());
        if (inboxSeen.add(word.key())) {
            inbox.put(word.key(), word);
        }
    }

    Optional<Receipt> liveReceipt(ReceiptKey key) {
        return Optional.ofNullable(receipts.get(key))
                .filter(receipt -> receipt.expiresAt().isAfter(clock.now()));
    }

    static <T> T table(Map<?, T> tables, Object key) {
        return requireNonNull(tables.get(key), () -> "nothing for " + key);
    }

    /** A node that says that it is there. */
    record NodeRow(Member member, Instant since, Instant until) {}

    /** One shard's lease. */
    static final class LeaseRow {
        long epoch;
        Optional<String> holder = Optional.empty();
        Instant until = Instant.MIN;

        /** What the holder of {@code heededAt} has acknowledged of settings. */
        long heeded;

        long heededAt;
    }

    /**
     * A message that leaves, and when it may be tried next; dead ones are kept.
     *
     * @param death why it is dead; empty if it isn't
     */
    record OutboxRow(
            Outbox.Pending pending,
            Instant due,
            Optional<Outbox.DeathReason> death,
            Optional<String> error,
            Optional<Instant> failedAt) {
        static OutboxRow fresh(Outbox.Pending pending, Instant due) {
            return new OutboxRow(pending, due, Optional.empty(), Optional.empty(), Optional.empty());
        }
    }
}
