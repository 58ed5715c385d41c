package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.security.token.Subjects;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Who calls, for which tenant, and what they may do. A caller of a tenant can't be allowed what concerns other tenants,
 * whatever a token says: there is no such object.
 *
 * @param roles of the principal, as the border has verified; people's tasks may be given to a role
 * @param profile of the principal, for people
 * @param until when they have to show anew who they are; empty if never
 */
public record Caller(
        Standing standing,
        TenantId tenant,
        Actor principal,
        Set<String> roles,
        Set<Scope> scopes,
        Profile profile,
        Optional<Instant> until) {
    /** Who calls what is everybody's: nobody in particular, of a tenant that no caller can name. */
    public static final Caller ANYBODY = new Caller(
            Standing.TENANT, new TenantId("-"), new Actor("user", Subjects.ANONYMOUS), Set.of(), Set.of(Scope.PUBLIC));

    /** Whose word it is that they may. */
    public enum Standing {
        /** The tenant's: it hands out what is its own. */
        TENANT,
        /** That of who runs the installation, and may name any tenant. */
        OPERATOR
    }

    /** What a principal is called, where that is known. */
    public record Profile(Optional<String> displayName, Optional<String> email) {
        public static final Profile NONE = new Profile(Optional.empty(), Optional.empty());

        public Profile {
            requireNonNull(displayName);
            requireNonNull(email);
        }
    }

    /** One of whom nothing else is known. */
    public Caller(Standing standing, TenantId tenant, Actor principal, Set<String> roles, Set<Scope> scopes) {
        this(standing, tenant, principal, roles, scopes, Profile.NONE, Optional.empty());
    }

    public Caller {
        requireNonNull(standing);
        requireNonNull(tenant);
        requireNonNull(principal);
        roles = Set.copyOf(roles);
        scopes = Set.copyOf(scopes);
        requireNonNull(profile);
        requireNonNull(until);
        if (standing == Standing.TENANT && !Scope.ofATenant().containsAll(scopes)) {
            throw new IllegalArgumentException("a caller of tenant " + tenant + " is given what concerns all tenants: "
                    + scopes.stream()
                            .filter(Scope::isOfTheInstallation)
                            .sorted()
                            .toList());
        }
    }
}
