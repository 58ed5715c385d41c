package dev.flowstone.engine.shard;

import dev.flowstone.engine.dead.DeadLetterBox;
import dev.flowstone.engine.dead.DeadLetterStore.Pair;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where a shard leaves messages that it can't take up. Letters of a pair of runs are heard in order (R21): as long as one of them is
 * a dead letter, those that come after it are put behind it. Which pairs that may concern is known here, so that nothing is
 * asked of the database for any other. Belongs to its shard's loop.
 */
final class PairOrder {
    private static final int PAGE = 1_000;

    private final DeadLetterBox dead;
    private final Shard shard;
    private final Set<Pair> pairs = new HashSet<>();
    private Optional<Pair> after = Optional.empty();
    private boolean recovered;

    PairOrder(DeadLetterBox dead, Shard shard) {
        this.dead = dead;
        this.shard = shard;
    }

    /** Reads one more page of what was left by predecessors; false if that was all. Nothing from outside is decided before. */
    boolean recover() throws JournalException {
        if (recovered) {
            return false;
        }
        List<Pair> page = dead.pairs(shard, after, PAGE);
        pairs.addAll(page);
        after = page.isEmpty() ? after : Optional.of(page.getLast());
        recovered = page.size() < PAGE;
        return !recovered;
    }

    /** Leaves a message: durable when it returns, so that it may be consumed. */
    void bury(InboxMessage message, DeadReason reason, String error) throws JournalException {
        LetterMessage.sender(message)
                .ifPresent(sender -> pairs.add(new Pair(new RunKey(message.key().tenant(), message.run()), sender)));
        dead.message(message, reason, error);
    }

    /** Leaves one that {@link #isHeldBack}, likewise: it is due as soon as it is the first of its pair. */
    void putBehind(InboxMessage message, String error) throws JournalException {
        dead.heldBack(message, error);
    }

    /** Whether it concerns no pair: what comes while a shard stops that hasn't read them all is asked for. */
    boolean isIdle() {
        return recovered && pairs.isEmpty();
    }

    /** Whether it must be put behind another of its pair: an attempt is the pair's first. */
    boolean isHeldBack(CommandWork work) throws JournalException {
        if (!(work.origin instanceof Origin.Post post)
                || post.inbox().filter(DeadLetterBox::isAttempt).isPresent()) {
            return false;
        }
        Pair pair = new Pair(work.run, post.letter().sender());
        if (recovered && !pairs.contains(pair)) {
            return false;
        }
        boolean held = dead.has(pair);
        if (!held) {
            pairs.remove(pair);
        }
        return held;
    }
}
