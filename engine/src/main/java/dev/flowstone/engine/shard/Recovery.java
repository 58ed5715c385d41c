package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a shard does first when it changes hands: pages through its awake runs in key order. Belongs to its shard's loop,
 * which takes nothing else before this is over.
 */
final class Recovery {
    private final Journal journal;
    private final ShardId shard;
    private final ShardConfig config;
    private Optional<RunKey> after = Optional.empty();
    private boolean over;

    Recovery(Journal journal, ShardId shard, ShardConfig config) {
        this.journal = journal;
        this.shard = shard;
        this.config = config;
    }

    boolean isOver() {
        return over;
    }

    /** The next page of runs; empty when it is over. */
    Map<RunKey, StoredRun> page() throws JournalException {
        List<RunKey> keys = journal.awake(shard, after, config.recoveryPage());
        if (keys.isEmpty()) {
            over = true;
            return Map.of();
        }
        Map<RunKey, StoredRun> runs = journal.load(shard, keys);
        after = Optional.of(keys.getLast());
        return runs;
    }
}
