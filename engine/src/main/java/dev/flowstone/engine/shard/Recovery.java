package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Attempt;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * What a shard does first when it changes hands: pages through its awake runs in key order, declares attempts lost that
 * died with their node, hands out again what was given back, and goes on with what was left in the middle. Belongs to its
 * shard's loop, which takes nothing else before this is over.
 */
final class Recovery {
    private final ShardId shard;
    private final ShardParts parts;
    private final StateCache cache;
    private final Quarantine quarantine;
    private final Tasks tasks;
    private final ArrayDeque<Work> local;
    private Optional<RunKey> after = Optional.empty();

    Recovery(
            ShardId shard,
            ShardParts parts,
            StateCache cache,
            Quarantine quarantine,
            Tasks tasks,
            ArrayDeque<Work> local) {
        this.shard = shard;
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
        for (StoredRun stored : parts.journal().load(shard, keys).values()) {
            recover(stored);
        }
        after = Optional.of(keys.getLast());
        return true;
    }

    private void recover(StoredRun stored) throws JournalException {
        CachedRun run;
        try {
            Optional<Program> program = parts.programs().find(stored.key().tenant(), stored.program());
            if (program.isEmpty()) {
                throw new CorruptRunException("its program " + stored.program() + " isn't in the store");
            }
            run = RunRebuild.of(stored, program.get());
        } catch (CorruptRunException | RuntimeException e) {
            quarantine.add(stored.key(), String.valueOf(e.getMessage()));
            return;
        }
        cache.put(stored.key(), run);
        for (Attempt attempt : run.state().unansweredAttempts()) {
            if (attempt.returned()) {
                tasks.dispatch(stored.key(), run.state(), attempt, local);
            } else {
                tasks.lost(stored.key(), attempt, local);
            }
        }
        if (run.state().continues()) {
            local.add(CommandWork.continuation(stored.key(), parts.clock().now()));
        }
    }
}
