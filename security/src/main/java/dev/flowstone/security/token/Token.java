package dev.flowstone.security.token;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What a verified token says.
 *
 * @param principal {@code service:SUB} for a client on its own behalf, else {@code user:SUB}
 * @param name of the principal, for people
 * @param roles of the principal in the tenant
 * @param scopes as they are written in it, whatever they mean
 * @param until when it is refused again
 */
public record Token(
        TenantId tenant,
        Actor principal,
        Optional<String> name,
        Optional<String> email,
        Set<String> roles,
        Set<String> scopes,
        Instant until) {
    public Token {
        requireNonNull(tenant);
        requireNonNull(principal);
        requireNonNull(name);
        requireNonNull(email);
        roles = Set.copyOf(roles);
        scopes = Set.copyOf(scopes);
        requireNonNull(until);
    }
}
