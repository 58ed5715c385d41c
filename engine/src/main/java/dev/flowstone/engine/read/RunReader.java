package dev.flowstone.engine.read;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads as one tenant, under row-level security; every answer is bounded. */
public interface RunReader {
    Optional<RunRow> run(TenantId tenant, RunId run) throws JournalException;

    /** Newest first, before a run, at most a page. Aggregates, which are kept as runs are, are no runs. */
    List<RunRow> runs(TenantId tenant, RunFilter filter, Optional<RunId> before, int limit) throws JournalException;

    /** These runs, in one go; one that isn't there is left out. At most a page of runs. */
    Map<RunId, RunRow> rows(TenantId tenant, Collection<RunId> runs) throws JournalException;

    /** How many runs of each workflow, or of one, are in which status: all, exactly, as of the last commit. Costs what there are groups. */
    RunCounts counts(TenantId tenant, Optional<WorkflowId> workflow) throws JournalException;

    /**
     * Counts the runs that began at or after a time, by workflow and status, the newest first, until so many were looked at.
     *
     * @param most so many runs are looked at, and one more tells whether that was all
     */
    RunCounts countsSince(TenantId tenant, Optional<WorkflowId> workflow, Instant since, int most)
            throws JournalException;

    /** Entries whose last event is at or after a number, in order, at most a page. */
    List<StoredEntry> entries(TenantId tenant, RunId run, long fromSequence, int limit) throws JournalException;

    /** The first entry of each of these runs, in one go; a run that isn't there is left out. At most a page of runs. */
    Map<RunId, StoredEntry> beginnings(TenantId tenant, Collection<RunId> runs) throws JournalException;

    /**
     * The last bytes of the first event of each of these runs, in one go, for those whose first event ends in a given way; all
     * others, and runs that aren't there, are left out. At most a page of runs; what is read and sent doesn't grow with events.
     *
     * @param most bytes of each
     */
    Map<RunId, byte[]> endsOfFirst(TenantId tenant, Collection<RunId> runs, byte[] ending, int most)
            throws JournalException;

    /**
     * The header of the first decision of each of these runs, in one go; one that is longer than {@code most} bytes, and runs that
     * aren't there, are left out. At most a page of runs; what is read and sent doesn't grow with events.
     */
    Map<RunId, byte[]> headersOfFirst(TenantId tenant, Collection<RunId> runs, int most) throws JournalException;

    /** Content by hash; what isn't there is left out. */
    Map<Sha256, byte[]> payloads(TenantId tenant, Collection<Sha256> hashes) throws JournalException;

    /** The first byte of each content, by hash, which tells what kind of JSON it is; what isn't there is left out. */
    Map<Sha256, Byte> firstBytes(TenantId tenant, Collection<Sha256> hashes) throws JournalException;

    /**
     * Files of this tenant's runs that have left with the month in which this one was born, the oldest first; for a run that isn't
     * there any more. Empty if none have. Ports that never archive have none.
     */
    default List<String> archives(TenantId tenant, RunId run) throws JournalException {
        return List.of();
    }
}
