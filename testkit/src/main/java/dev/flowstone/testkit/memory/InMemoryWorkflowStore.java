package dev.flowstone.testkit.memory;

import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.WorkflowVersionEntry;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.testkit.memory.WorkflowTables.ProgramKey;
import dev.flowstone.testkit.memory.WorkflowTables.VersionKey;
import dev.flowstone.testkit.memory.WorkflowTables.WorkflowKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/** Definitions in memory. */
final class InMemoryWorkflowStore implements WorkflowStore {
    private final WorkflowTables tables;
    private final Predicate<WorkflowKey> hasRuns;

    InMemoryWorkflowStore(WorkflowTables tables, Predicate<WorkflowKey> hasRuns) {
        this.tables = tables;
        this.hasRuns = hasRuns;
    }

    @Override
    public Optional<WorkflowRow> find(TenantId tenant, WorkflowId workflow) {
        synchronized (tables) {
            return Optional.ofNullable(tables.rows.get(new WorkflowKey(tenant, workflow)));
        }
    }

    @Override
    public List<WorkflowRow> list(
            TenantId tenant, Optional<WorkflowStatus> status, Optional<WorkflowId> after, int limit) {
        synchronized (tables) {
            return tables.rows.values().stream()
                    .filter(row -> row.tenant().equals(tenant)
                            && status.map(wanted -> wanted == row.status()).orElse(true)
                            && after.map(id -> row.id().compareTo(id) > 0).orElse(true))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public Optional<WorkflowRow> save(WorkflowRow row, long expectedRevision, Optional<WorkflowVersion> newVersion) {
        synchronized (tables) {
            WorkflowKey key = new WorkflowKey(row.tenant(), row.id());
            WorkflowRow old = tables.rows.get(key);
            if ((old == null ? 0 : old.revision()) != expectedRevision) {
                return Optional.empty();
            }
            newVersion.ifPresent(version -> insert(key, version));
            WorkflowRow saved = row.withRevision(expectedRevision + 1);
            tables.rows.put(key, saved);
            return Optional.of(saved);
        }
    }

    private void insert(WorkflowKey key, WorkflowVersion version) {
        VersionKey versionKey = new VersionKey(key, version.version());
        if (!key.equals(new WorkflowKey(version.tenant(), version.workflow()))) {
            throw new IllegalArgumentException("a version of another workflow");
        }
        if (tables.versions.containsKey(versionKey)) {
            throw new IllegalStateException("version " + version.version() + " was published before and can't change");
        }
        tables.versions.put(versionKey, version);
        tables.programs.putIfAbsent(
                new ProgramKey(key.tenant(), version.program()),
                version.programBytes().clone());
    }

    @Override
    public Optional<WorkflowVersion> version(TenantId tenant, WorkflowId workflow, int version) {
        synchronized (tables) {
            return Optional.ofNullable(tables.versions.get(new VersionKey(new WorkflowKey(tenant, workflow), version)));
        }
    }

    @Override
    public List<WorkflowVersionEntry> versions(TenantId tenant, WorkflowId workflow, OptionalInt before, int limit) {
        synchronized (tables) {
            return tables.versions.values().stream()
                    .filter(it -> it.tenant().equals(tenant) && it.workflow().equals(workflow))
                    .filter(it -> before.isEmpty() || it.version() < before.getAsInt())
                    .sorted((a, b) -> Integer.compare(b.version(), a.version()))
                    .limit(limit)
                    .map(it -> new WorkflowVersionEntry(it.version(), it.checksum(), it.program(), it.publishedAt()))
                    .toList();
        }
    }

    @Override
    public Optional<WorkflowVersion> versionByChecksum(TenantId tenant, WorkflowId workflow, Sha256 checksum) {
        synchronized (tables) {
            return tables.versions.values().stream()
                    .filter(version -> version.tenant().equals(tenant)
                            && version.workflow().equals(workflow)
                            && version.checksum().equals(checksum))
                    .max((a, b) -> Integer.compare(a.version(), b.version()));
        }
    }

    @Override
    public Optional<byte[]> program(TenantId tenant, Sha256 hash) {
        synchronized (tables) {
            return Optional.ofNullable(tables.programs.get(new ProgramKey(tenant, hash)))
                    .map(byte[]::clone);
        }
    }

    @Override
    public void keepProgram(TenantId tenant, Sha256 hash, byte[] bytes) {
        synchronized (tables) {
            tables.programs.putIfAbsent(new ProgramKey(tenant, hash), bytes.clone());
        }
    }

    @Override
    public boolean deleteDraft(TenantId tenant, WorkflowId workflow, long expectedRevision) {
        synchronized (tables) {
            WorkflowKey key = new WorkflowKey(tenant, workflow);
            WorkflowRow row = tables.rows.get(key);
            if (row == null || row.revision() != expectedRevision || row.status() != WorkflowStatus.DRAFT) {
                return false;
            }
            if (row.latestVersion() > 0 && hasRuns.test(key)) {
                return false;
            }
            tables.rows.remove(key);
            tables.versions.keySet().removeIf(version -> version.workflow().equals(key));
            return true;
        }
    }
}
