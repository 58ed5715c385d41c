package dev.flowstone.engine.read;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The order for readers: one row a commit, gapless by stream. A reader keeps one cursor per stream. The oldest rows may be removed
 * from a stream's beginning on: who has read up to one that {@link #first} is behind has missed some.
 */
public interface Feed {
    /** Rows of the stream after a number, in order, at most a page. */
    List<FeedRow> read(int stream, long after, int limit) throws JournalException;

    /** Number of the last row of each of these streams; 0 if it has none. */
    Map<Integer, Long> last(Collection<Integer> streams) throws JournalException;

    /** Number of the oldest row that each of these streams still has; 1 if it never had any. */
    Map<Integer, Long> first(Collection<Integer> streams) throws JournalException;

    /** One commit: which runs moved, from which event to which. */
    record FeedRow(int stream, long number, List<Moved> moved) {
        public FeedRow {
            moved = List.copyOf(moved);
        }
    }

    /** A run's part in a commit. */
    record Moved(RunKey run, long firstSequence, long lastSequence) {}
}
