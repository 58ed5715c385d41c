package dev.flowstone.engine.subject;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.read.EditWindow;
import java.util.Optional;
import java.util.Set;

/**
 * An edit of a subject by somebody who is no run.
 *
 * @param expectedVersion the version that was edited; another one refuses the edit
 * @param fields what is edited; empty for everything
 * @param tighten how the subject may be edited from now on, because the edit asks its runs to move on: holds at once,
 *     until they have heard of this edit
 */
public record SubjectChange(
        TenantId tenant, Subject subject, long expectedVersion, Set<String> fields, Optional<EditWindow> tighten) {
    public SubjectChange {
        requireNonNull(tenant);
        requireNonNull(subject);
        fields = Set.copyOf(fields);
        requireNonNull(tighten);
        if (expectedVersion < 0) {
            throw new IllegalArgumentException("a subject's versions count from 0, not from " + expectedVersion);
        }
    }
}
