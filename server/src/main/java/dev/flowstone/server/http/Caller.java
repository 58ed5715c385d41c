package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.util.Set;

/**
 * Who calls, for which tenant, and what they may do. A caller of a tenant can't be allowed what concerns other tenants,
 * whatever a token says: there is no such object.
 *
 * @param roles of the principal, as the border has verified; people's tasks may be given to a role
 */
public record Caller(Standing standing, TenantId tenant, Actor principal, Set<String> roles, Set<Scope> scopes) {
    /** Whose word it is that they may. */
    public enum Standing {
        /** The tenant's: it hands out what is its own. */
        TENANT,
        /** That of who runs the installation, and may name any tenant. */
        OPERATOR
    }

    public Caller {
        requireNonNull(standing);
        requireNonNull(tenant);
        requireNonNull(principal);
        roles = Set.copyOf(roles);
        scopes = Set.copyOf(scopes);
        if (standing == Standing.TENANT && !Scope.ofATenant().containsAll(scopes)) {
            throw new IllegalArgumentException("a caller of tenant " + tenant + " is given what concerns all tenants: "
                    + scopes.stream()
                            .filter(Scope::isOfTheInstallation)
                            .sorted()
                            .toList());
        }
    }
}
