package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.time.DatabaseTime;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a batch durable in one commit. If the database refuses the data of some run, the batch is cut in half until that
 * run stands alone; the others get through.
 */
final class Committer {
    private static final System.Logger LOG = System.getLogger(Committer.class.getName());

    private final Journal journal;
    private final Lease lease;
    private final DatabaseTime time;

    Committer(Journal journal, Lease lease, DatabaseTime time) {
        this.journal = journal;
        this.lease = lease;
        this.time = time;
    }

    /** How the turns of a batch fared. Every turn is in one of the lists. */
    static final class Result {
        final List<Turn> stored = new ArrayList<>();
        final List<Turn> lost = new ArrayList<>();
        final List<Refused> refused = new ArrayList<>();

        /** The connection broke in COMMIT: nobody knows yet. */
        final List<Turn> unknown = new ArrayList<>();

        /** Surely not stored; to be decided again when the database can be reached. */
        final List<Turn> untried = new ArrayList<>();

        /** Whether the delivered letters are forgotten, durably. */
        boolean forgotten;
    }

    /** A turn whose data the database refused. */
    record Refused(Turn turn, String reason) {}

    /**
     * Commits the turns, which are sorted by key.
     *
     * @param delivered letters to be forgotten with them; kept if the batch must be cut
     *
     * @throws JournalException.StaleEpoch if the shard belongs to somebody else; nothing more may be said
     */
    Result commit(List<Turn> turns, List<LetterKey> delivered) throws JournalException.StaleEpoch {
        Result result = new Result();
        commit(turns, delivered, result);
        return result;
    }

    /**
     * Makes sure that what was read before in the shard was written by nobody who took it over.
     *
     * @throws JournalException.StaleEpoch if the shard belongs to somebody else
     */
    void confirm() throws JournalException {
        time.correct(journal.commit(new Commit(lease, List.of(), List.of())).databaseTime());
    }

    private void commit(List<Turn> turns, List<LetterKey> delivered, Result result) throws JournalException.StaleEpoch {
        if (!result.untried.isEmpty() || !result.unknown.isEmpty()) {
            result.untried.addAll(turns);
            return;
        }
        try {
            sort(turns, journal.commit(new Commit(lease, moves(turns), consumed(turns), delivered)), result);
            result.forgotten |= !delivered.isEmpty();
        } catch (JournalException e) {
            failed(e, turns, result);
        } catch (RuntimeException e) {
            // Whatever it did, the compare-and-set refuses a second time.
            LOG.log(Level.ERROR, "a commit failed in an unforeseen way", e);
            bisect(turns, result, e.toString());
        }
    }

    private void failed(JournalException failure, List<Turn> turns, Result result) throws JournalException.StaleEpoch {
        switch (failure) {
            case JournalException.StaleEpoch stale -> throw stale;
            case JournalException.Unavailable unavailable -> {
                LOG.log(Level.WARNING, "the journal can't be reached: " + unavailable.getMessage());
                result.untried.addAll(turns);
            }
            case JournalException.UnknownOutcome unknown -> {
                LOG.log(Level.WARNING, "a commit's outcome is unknown: " + unknown.getMessage());
                result.unknown.addAll(turns);
            }
            case JournalException.SubjectTaken taken -> {
                if (turns.size() <= 1) {
                    // Decided again, it meets whoever was faster.
                    result.lost.addAll(turns);
                } else {
                    bisect(turns, result, taken.getMessage());
                }
            }
            case JournalException.BadData bad -> bisect(turns, result, bad.getMessage());
        }
    }

    private void sort(List<Turn> turns, Committed committed, Result result) {
        time.correct(committed.databaseTime());
        for (Turn turn : turns) {
            boolean stored = turn.move == null || committed.moved().contains(turn.key);
            (stored ? result.stored : result.lost).add(turn);
        }
    }

    private void bisect(List<Turn> turns, Result result, @Nullable String reason) throws JournalException.StaleEpoch {
        if (turns.size() <= 1) {
            turns.forEach(turn -> result.refused.add(new Refused(turn, String.valueOf(reason))));
            return;
        }
        int middle = turns.size() / 2;
        commit(turns.subList(0, middle), List.of(), result);
        commit(turns.subList(middle, turns.size()), List.of(), result);
    }

    private static List<RunMove> moves(List<Turn> turns) {
        List<RunMove> moves = new ArrayList<>(turns.size());
        for (Turn turn : turns) {
            if (turn.move != null) {
                moves.add(turn.move);
            }
        }
        return moves;
    }

    private static List<InboxKey> consumed(List<Turn> turns) {
        List<InboxKey> keys = new ArrayList<>(0);
        for (Turn turn : turns) {
            keys.addAll(turn.consumed);
        }
        keys.sort(null);
        return keys;
    }
}
