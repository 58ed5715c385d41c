package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a shard does first when it changes hands: pages through its awake runs in key order, declares attempts lost that
 * died with their node, hands out again what was given back, and goes on with what was left in the middle. Belongs to its
 * shard's loop, which takes nothing else before this is over.
 */
final class Recovery {
    /** How many attempts before one are looked for. */
    private static final int REMEMBERED = 100;

    private final ShardId shard;
    private final Lease lease;
    private final ShardParts parts;
    private final StateCache cache;
    private final Quarantine quarantine;
    private final Tasks tasks;
    private final ArrayDeque<Work> local;
    private Optional<RunKey> after = Optional.empty();

    Recovery(
            Lease lease,
            ShardParts parts,
            StateCache cache,
            Quarantine quarantine,
            Tasks tasks,
            ArrayDeque<Work> local) {
        this.lease = lease;
        this.shard = lease.shard().id();
        this.parts = parts;
        this.cache = cache;
        this.quarantine = quarantine;
        this.tasks = tasks;
        this.local = local;
    }

    /** Takes up one more page; false if there was none left. */
    boolean page() throws JournalException {
        List<RunKey> keys = parts.journal().awake(shard, after, parts.config().recoveryPage());
        if (keys.isEmpty()) {
            return false;
        }
        List<Found> page = new ArrayList<>(keys.size());
        for (StoredRun stored : parts.journal().load(shard, keys).values()) {
            rebuild(stored).ifPresent(run -> page.add(new Found(stored.key(), run)));
        }
        Set<InboxKey> recorded = recorded(page);
        page.forEach(found -> recover(found, recorded));
        after = Optional.of(keys.getLast());
        return true;
    }

    /** A run that was left awake. */
    private record Found(RunKey key, CachedRun run) {}

    /** Transactions whose result is recorded and that the predecessor didn't live to decide. */
    private Set<InboxKey> recorded(List<Found> page) throws JournalException {
        List<InboxKey> keys = new ArrayList<>(0);
        for (Found found : page) {
            for (Attempt attempt : found.run().state().openAttempts()) {
                if (tasks.isTransactional(attempt)) {
                    keys.addAll(keys(found.key(), attempt));
                }
            }
        }
        return keys.isEmpty() ? Set.of() : parts.transactions().recorded(lease, keys);
    }

    /** Of this attempt, and of those before, one of which may have been given up too early. */
    private static List<InboxKey> keys(RunKey run, Attempt attempt) {
        List<InboxKey> keys = new ArrayList<>();
        for (int number = Math.max(1, attempt.attempt() - REMEMBERED); number <= attempt.attempt(); number++) {
            keys.add(TransactionRequest.key(run, attempt.activation(), number));
        }
        return keys;
    }

    private Optional<CachedRun> rebuild(StoredRun stored) throws JournalException {
        try {
            return Optional.of(RunRebuild.of(stored, parts.programs(), RunRebuild.Past.of(parts.journal(), shard)));
        } catch (CorruptRunException | RuntimeException e) {
            quarantine.add(stored.key(), String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private void recover(Found found, Set<InboxKey> recorded) {
        RunState state = found.run().state();
        cache.put(found.key(), found.run());
        for (Attempt attempt : state.unansweredAttempts()) {
            if (tasks.isTransactional(attempt)
                    && keys(found.key(), attempt).stream().anyMatch(recorded::contains)) {
                tasks.expect(found.key(), attempt);
            } else if (attempt.returned() || tasks.isOneWay(attempt)) {
                tasks.dispatch(found.key(), state, attempt, local);
            } else {
                tasks.lost(found.key(), attempt, local);
            }
        }
        if (state.continues()) {
            local.add(CommandWork.continuation(found.key(), parts.clock().now()));
        }
    }
}
