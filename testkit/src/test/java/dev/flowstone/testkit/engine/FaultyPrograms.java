package dev.flowstone.testkit.engine;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.WorkflowVersionEntry;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** A store from which a program can't be read when it is asked for first, or is damaged as long as somebody says so. */
final class FaultyPrograms implements WorkflowStore {
    private final WorkflowStore database;
    private final Set<Sha256> unreadable = new HashSet<>();
    private final Set<Sha256> damaged = new HashSet<>();

    FaultyPrograms(WorkflowStore database) {
        this.database = database;
    }

    FaultyPrograms(WorkflowStore database, Sha256 unreadable) {
        this.database = database;
        this.unreadable.add(unreadable);
    }

    void damage(Sha256 program) {
        damaged.add(program);
    }

    void mend() {
        damaged.clear();
    }

    @Override
    public Optional<byte[]> program(TenantId tenant, Sha256 hash) throws JournalException {
        if (unreadable.remove(hash)) {
            throw new JournalException.Unavailable("the network is cut");
        }
        return database.program(tenant, hash).map(bytes -> {
            bytes[0] ^= (byte) (damaged.contains(hash) ? 1 : 0);
            return bytes;
        });
    }

    @Override
    public Optional<WorkflowRow> find(TenantId tenant, WorkflowId workflow) throws JournalException {
        return database.find(tenant, workflow);
    }

    @Override
    public List<WorkflowRow> list(
            TenantId tenant, Optional<WorkflowStatus> status, Optional<WorkflowId> after, int limit)
            throws JournalException {
        return database.list(tenant, status, after, limit);
    }

    @Override
    public Optional<WorkflowRow> save(WorkflowRow row, long expectedRevision, Optional<WorkflowVersion> newVersion)
            throws JournalException {
        return database.save(row, expectedRevision, newVersion);
    }

    @Override
    public Optional<WorkflowVersion> version(TenantId tenant, WorkflowId workflow, int version)
            throws JournalException {
        return database.version(tenant, workflow, version);
    }

    @Override
    public List<WorkflowVersionEntry> versions(TenantId tenant, WorkflowId workflow, OptionalInt before, int limit)
            throws JournalException {
        return database.versions(tenant, workflow, before, limit);
    }

    @Override
    public Optional<WorkflowVersion> versionByChecksum(TenantId tenant, WorkflowId workflow, Sha256 checksum)
            throws JournalException {
        return database.versionByChecksum(tenant, workflow, checksum);
    }

    @Override
    public void keepProgram(TenantId tenant, Sha256 hash, byte[] bytes) throws JournalException {
        database.keepProgram(tenant, hash, bytes);
    }

    @Override
    public boolean deleteDraft(TenantId tenant, WorkflowId workflow, long expectedRevision) throws JournalException {
        return database.deleteDraft(tenant, workflow, expectedRevision);
    }
}
