package dev.flowstone.engine.workflow;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;
import java.time.Instant;

/**
 * A published version in a list, without what it says.
 *
 * @param checksum as in {@link WorkflowVersion}
 * @param program as in {@link WorkflowVersion}
 */
public record WorkflowVersionEntry(int version, Sha256 checksum, Sha256 program, Instant publishedAt) {
    public WorkflowVersionEntry {
        requireNonNull(checksum);
        requireNonNull(program);
        requireNonNull(publishedAt);
    }
}
