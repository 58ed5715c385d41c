package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.WorkflowVersionEntry;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** One node's way to the programs: reads of them fail here. */
final class SimulatedPrograms implements WorkflowStore {
    private final Strikes strikes;
    private final WorkflowStore database;

    SimulatedPrograms(Strikes strikes, WorkflowStore database) {
        this.strikes = strikes;
        this.database = database;
    }

    @Override
    public Optional<byte[]> program(TenantId tenant, Sha256 hash) throws JournalException {
        strikes.program();
        return database.program(tenant, hash);
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
