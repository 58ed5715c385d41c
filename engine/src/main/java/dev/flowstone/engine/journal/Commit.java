package dev.flowstone.engine.journal;

import dev.flowstone.engine.lease.Lease;
import java.util.List;

/**
 * One transaction of one shard.
 *
 * @param moves sorted by key, each run at most once
 * @param consumed inbox messages that became part of these moves or were refused for good; one for a run that is among
 *     the moves but doesn't move stays
 */
public record Commit(Lease lease, List<RunMove> moves, List<InboxKey> consumed) {
    public Commit {
        moves = List.copyOf(moves);
        consumed = List.copyOf(consumed);
    }
}
