package dev.flowstone.engine.journal;

import dev.flowstone.engine.lease.Lease;
import java.util.List;

/**
 * One transaction of one shard.
 *
 * @param moves sorted by key, each run at most once
 * @param consumed inbox messages that became part of these moves or were refused for good; one for a run that is among
 *     the moves but doesn't move stays
 * @param delivered letters of this shard's runs that their receivers have decided, durably; forgotten
 */
public record Commit(Lease lease, List<RunMove> moves, List<InboxKey> consumed, List<LetterKey> delivered) {
    /** One that forgets no letters. */
    public Commit(Lease lease, List<RunMove> moves, List<InboxKey> consumed) {
        this(lease, moves, consumed, List.of());
    }

    public Commit {
        delivered = List.copyOf(delivered);
        moves = List.copyOf(moves);
        consumed = List.copyOf(consumed);
    }
}
