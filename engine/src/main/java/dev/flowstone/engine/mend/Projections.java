package dev.flowstone.engine.mend;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import java.util.Optional;

/** Reads a run's rows beside its log, and puts them right. Rare, and never on a hot path. */
public interface Projections {
    /** Keeps no rows that could differ. */
    Projections NONE = new Projections() {
        @Override
        public boolean keptApart() {
            return false;
        }

        @Override
        public Optional<Projection> read(RunKey run) {
            throw new UnsupportedOperationException("rows are not kept apart from the log here");
        }

        @Override
        public boolean correct(Lease lease, Correction correction) {
            throw new UnsupportedOperationException("rows are not kept apart from the log here");
        }
    };

    /** Whether there are rows that could differ from the log; if not, nothing else is asked for. */
    default boolean keptApart() {
        return true;
    }

    /** Its rows as of one of its events; empty if there is no such run, or if it moves faster than it can be read. */
    Optional<Projection> read(RunKey run) throws JournalException;

    /**
     * Writes what differs, in one transaction under the shard's epoch, unless the run has moved since the event that the rows
     * are of: then nothing.
     *
     * @return whether it is written
     * @throws JournalException.StaleEpoch if the shard belongs to somebody else
     */
    boolean correct(Lease lease, Correction correction) throws JournalException;
}
