package dev.flowstone.engine.workflow;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Keeps definitions. Every mutation is one transaction guarded by the workflow's revision; a published version can't be
 * changed, which the database itself refuses.
 */
public interface WorkflowStore {
    Optional<WorkflowRow> find(TenantId tenant, WorkflowId workflow) throws JournalException;

    /** By id, after one, at most a page. */
    List<WorkflowRow> list(TenantId tenant, Optional<WorkflowStatus> status, Optional<WorkflowId> after, int limit)
            throws JournalException;

    /**
     * Writes the workflow's row and, if given, a version and its program, if the stored revision is still the one
     * expected (0: the row doesn't exist yet).
     *
     * @return the row with its new revision; empty if somebody else was faster
     */
    Optional<WorkflowRow> save(WorkflowRow row, long expectedRevision, Optional<WorkflowVersion> newVersion)
            throws JournalException;

    /**
     * The same, where the version becomes the current one: its workflow has these triggers of its own from then on, and no others. One
     * of a name that there has been before is on or off as it was then; what came for it stays.
     *
     * @param triggers empty to leave them as they are
     */
    default Optional<WorkflowRow> save(
            WorkflowRow row,
            long expectedRevision,
            Optional<WorkflowVersion> newVersion,
            Optional<List<OwnTrigger>> triggers)
            throws JournalException {
        return save(row, expectedRevision, newVersion);
    }

    /** Whether the workflow has these triggers of its own, and no others; a store that keeps none has whichever are asked for. */
    default boolean declares(TenantId tenant, WorkflowId workflow, List<OwnTrigger> triggers) throws JournalException {
        return true;
    }

    Optional<WorkflowVersion> version(TenantId tenant, WorkflowId workflow, int version) throws JournalException;

    /** Its versions, the newest first, those before a number, at most a page. */
    List<WorkflowVersionEntry> versions(TenantId tenant, WorkflowId workflow, OptionalInt before, int limit)
            throws JournalException;

    /** The version with this checksum, if the definition was published before. */
    Optional<WorkflowVersion> versionByChecksum(TenantId tenant, WorkflowId workflow, Sha256 checksum)
            throws JournalException;

    /** A program's canonical bytes, by hash. */
    Optional<byte[]> program(TenantId tenant, Sha256 hash) throws JournalException;

    /** Keeps a program that belongs to no version, unless it is there: a run of a draft follows it for ever. */
    void keepProgram(TenantId tenant, Sha256 hash, byte[] bytes) throws JournalException;

    /**
     * Removes a workflow that was never active, with the versions that were staged for it; their programs stay.
     *
     * @return false if the revision has moved on, it has been active, or it has staged versions and runs of its draft
     */
    boolean deleteDraft(TenantId tenant, WorkflowId workflow, long expectedRevision) throws JournalException;
}
