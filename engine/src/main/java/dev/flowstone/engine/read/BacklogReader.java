package dev.flowstone.engine.read;

import dev.flowstone.engine.journal.JournalException;
import java.time.Instant;

/** Counts what waits, for operators; a few bounded queries, to be asked now and then and never by a hot path. */
@FunctionalInterface
public interface BacklogReader {
    /** Where counting stops: beyond it, how much it is makes no difference to anybody. */
    int MOST = 100_000;

    /** As it is at a moment of the database's time. */
    Backlog read(Instant now) throws JournalException;
}
