package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;

/** One way over what may be removed of one kind, in pieces. */
sealed interface Sweep permits BlockSweep, FeedSweep {
    /**
     * Removes what the next piece holds; how many rows went. The first piece of a round finds out how far the round goes, so that
     * a round ends however fast others write.
     */
    long piece() throws JournalException;

    /** Whether the next piece begins a new round. */
    boolean isOver();
}
