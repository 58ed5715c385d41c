package dev.flowstone.engine.workflow;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.Optional;

/**
 * A workflow.
 *
 * @param currentVersion what starts use unless told; 0 if never published
 * @param latestVersion the highest that exists; 0 if none
 * @param draft source text being worked on, beside an active version or instead of one; exactly as it was sent
 * @param revision grows with every change; the ETag
 */
@SuppressWarnings("ArrayRecordComponent")
public record WorkflowRow(
        TenantId tenant,
        WorkflowId id,
        String displayName,
        Optional<String> description,
        WorkflowStatus status,
        boolean enabled,
        int currentVersion,
        int latestVersion,
        Optional<byte[]> draft,
        Instant createdAt,
        Instant updatedAt,
        long revision) {
    /** The same row at another revision. */
    public WorkflowRow withRevision(long other) {
        return new WorkflowRow(
                tenant,
                id,
                displayName,
                description,
                status,
                enabled,
                currentVersion,
                latestVersion,
                draft,
                createdAt,
                updatedAt,
                other);
    }
}
