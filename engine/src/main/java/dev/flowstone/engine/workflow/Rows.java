package dev.flowstone.engine.workflow;

import dev.flowstone.engine.workflow.DefinitionCompiler.Compiled;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.Optional;

/** The transitions of a workflow's row. The store counts the revision. */
final class Rows {
    private Rows() {}

    static WorkflowRow created(TenantId tenant, Compiled compiled, byte[] source, Instant now) {
        return new WorkflowRow(
                tenant,
                compiled.workflow(),
                compiled.displayName(),
                compiled.description(),
                WorkflowStatus.DRAFT,
                true,
                0,
                0,
                Optional.of(source),
                now,
                now,
                0);
    }

    static WorkflowRow named(WorkflowRow row, Compiled compiled) {
        return new WorkflowRow(
                row.tenant(),
                row.id(),
                compiled.displayName(),
                compiled.description(),
                row.status(),
                row.enabled(),
                row.currentVersion(),
                row.latestVersion(),
                row.draft(),
                row.createdAt(),
                row.updatedAt(),
                row.revision());
    }

    static WorkflowRow withDraft(WorkflowRow row, byte[] source, Instant now) {
        return draft(row, Optional.of(source), now);
    }

    static WorkflowRow withoutDraft(WorkflowRow row, Instant now) {
        return draft(row, Optional.empty(), now);
    }

    static WorkflowRow published(WorkflowRow row, int version, Instant now) {
        return versions(row, row.currentVersion(), Math.max(row.latestVersion(), version), now);
    }

    /** The version is what starts use. */
    static WorkflowRow activated(WorkflowRow row, int version) {
        WorkflowRow current = versions(row, version, row.latestVersion(), row.updatedAt());
        return turned(current, WorkflowStatus.ACTIVE, row.updatedAt());
    }

    /** To another status; only an active workflow is enabled. */
    static WorkflowRow turned(WorkflowRow row, WorkflowStatus status, Instant now) {
        return new WorkflowRow(
                row.tenant(),
                row.id(),
                row.displayName(),
                row.description(),
                status,
                status == WorkflowStatus.ACTIVE,
                row.currentVersion(),
                row.latestVersion(),
                row.draft(),
                row.createdAt(),
                now,
                row.revision());
    }

    private static WorkflowRow draft(WorkflowRow row, Optional<byte[]> draft, Instant now) {
        return new WorkflowRow(
                row.tenant(),
                row.id(),
                row.displayName(),
                row.description(),
                row.status(),
                row.enabled(),
                row.currentVersion(),
                row.latestVersion(),
                draft,
                row.createdAt(),
                now,
                row.revision());
    }

    private static WorkflowRow versions(WorkflowRow row, int current, int latest, Instant now) {
        return new WorkflowRow(
                row.tenant(),
                row.id(),
                row.displayName(),
                row.description(),
                row.status(),
                row.enabled(),
                current,
                latest,
                row.draft(),
                row.createdAt(),
                now,
                row.revision());
    }
}
