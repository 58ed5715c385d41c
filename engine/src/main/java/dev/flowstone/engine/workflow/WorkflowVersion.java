package dev.flowstone.engine.workflow;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;

/**
 * A published version: immutable.
 *
 * @param source exactly as it was sent
 * @param checksum SHA-256 of the source's canonical exact JSON, so that white space makes no version
 * @param program hash of what it compiled to
 * @param programBytes canonical bytes of that
 */
@SuppressWarnings("ArrayRecordComponent")
public record WorkflowVersion(
        TenantId tenant,
        WorkflowId workflow,
        int version,
        byte[] source,
        Sha256 checksum,
        Sha256 program,
        byte[] programBytes,
        Instant publishedAt) {}
