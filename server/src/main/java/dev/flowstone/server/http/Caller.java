package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.util.Set;

/** Who calls, for which tenant, and what they may do. */
public record Caller(TenantId tenant, Actor principal, Set<Scope> scopes) {
    public Caller {
        requireNonNull(tenant);
        requireNonNull(principal);
        scopes = Set.copyOf(scopes);
    }
}
