package dev.flowstone.engine.control;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.Optional;

/** The runs that a setting is for. */
public sealed interface SettingScope {
    /** All runs of all tenants. */
    record Everything() implements SettingScope {}

    /** All runs of a tenant. */
    record Tenant(TenantId id) implements SettingScope {
        public Tenant {
            requireNonNull(id);
        }
    }

    /** All runs of a tenant's workflow, whatever its version. */
    record Workflow(TenantId tenant, WorkflowId id) implements SettingScope {
        public Workflow {
            requireNonNull(tenant);
            requireNonNull(id);
        }
    }

    /** The scope of these two, by how many of them are named. */
    static SettingScope of(Optional<TenantId> tenant, Optional<WorkflowId> workflow) {
        if (tenant.isEmpty()) {
            if (workflow.isPresent()) {
                throw new IllegalArgumentException("a workflow belongs to a tenant");
            }
            return new Everything();
        }
        return workflow.<SettingScope>map(id -> new Workflow(tenant.get(), id))
                .orElseGet(() -> new Tenant(tenant.get()));
    }

    /** Whose it is; empty for the system. */
    default Optional<TenantId> tenantId() {
        return switch (this) {
            case Everything _ -> Optional.empty();
            case Tenant tenant -> Optional.of(tenant.id());
            case Workflow workflow -> Optional.of(workflow.tenant());
        };
    }

    /** The workflow, if it is one's. */
    default Optional<WorkflowId> workflowId() {
        return this instanceof Workflow workflow ? Optional.of(workflow.id()) : Optional.empty();
    }

    /** Whether every run of the other scope is one of this one's too; a scope contains itself. */
    default boolean contains(SettingScope other) {
        return switch (this) {
            case Everything _ -> true;
            case Tenant tenant -> other.tenantId().equals(Optional.of(tenant.id()));
            case Workflow workflow -> workflow.equals(other);
        };
    }

    /** As runs record it: {@code system}, {@code tenant/acme}, {@code workflow/orders}. */
    default String text() {
        return switch (this) {
            case Everything _ -> "system";
            case Tenant tenant -> "tenant/" + tenant.id().value();
            case Workflow workflow -> "workflow/" + workflow.id().value();
        };
    }
}
