package dev.flowstone.engine.archive;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.verify.EntrySource.Head;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The database's side of archiving: who may go, and the one transaction in which they go. */
public interface Archives {
    /** Counts what {@link #stage} would stage; changes nothing, and may be asked beside an archive. */
    Staged count(YearMonth month, Instant endedBefore) throws JournalException, ArchiveRefusedException;

    /**
     * Stages the runs of a month that are over since before a time and for a day at least, and that nothing waits for or from.
     * Voids whatever another attempt has staged.
     *
     * @throws ArchiveRefusedException also if another attempt replaces a month right now
     */
    Staged stage(YearMonth month, Instant endedBefore, UUID attempt) throws JournalException, ArchiveRefusedException;

    /** A page of those, by tenant and id. */
    List<RunRow> staged(UUID attempt, Optional<RunKey> after, int limit) throws JournalException;

    /** It stays after all. */
    void leaveOut(UUID attempt, RunKey run) throws JournalException;

    /** How many of these are staged and stand exactly so in the database; those are confirmed. */
    long confirm(UUID attempt, List<Head> heads) throws JournalException;

    /**
     * Deletes the staged runs and replaces the month's partition by a copy without them, all or nothing.
     *
     * @param record what the file was found to hold; its number is not looked at
     * @return the number of this archive of its month
     * @throws ArchiveRefusedException if one of them has moved, isn't staged any more or wasn't confirmed, or if an archive has
     *     the file's name; nothing is changed then
     * @throws JournalException.UnknownOutcome if all of it is done, or nothing
     */
    int replace(UUID attempt, ArchiveRecord record) throws JournalException, ArchiveRefusedException;

    /** Nothing is staged any more. */
    void forget(UUID attempt) throws JournalException;

    /** Every archive that was made, by month and number. */
    List<ArchiveRecord> list() throws JournalException;

    /** Version of the database's schema. */
    int schema();

    /**
     * What was found of a month.
     *
     * @param born in it, and still here
     * @param ended of those
     * @param runs of those that may go
     * @param events of those that may go
     */
    record Staged(long born, long ended, long runs, long events) {}
}
