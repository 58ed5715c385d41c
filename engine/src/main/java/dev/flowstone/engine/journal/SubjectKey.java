package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.id.TenantId;

/** A subject and whose it is. */
public record SubjectKey(TenantId tenant, Subject subject) implements Comparable<SubjectKey> {
    public SubjectKey {
        requireNonNull(tenant);
        requireNonNull(subject);
    }

    @Override
    public int compareTo(SubjectKey other) {
        int byTenant = tenant.compareTo(other.tenant);
        return byTenant != 0 ? byTenant : subject.compareTo(other.subject);
    }
}
