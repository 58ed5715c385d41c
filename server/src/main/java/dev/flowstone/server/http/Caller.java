package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.util.Set;

/**
 * Who calls, for which tenant, and what they may do.
 *
 * @param roles of the principal, as the border has verified; people's tasks may be given to a role
 */
public record Caller(TenantId tenant, Actor principal, Set<String> roles, Set<Scope> scopes) {
    public Caller {
        requireNonNull(tenant);
        requireNonNull(principal);
        roles = Set.copyOf(roles);
        scopes = Set.copyOf(scopes);
    }
}
