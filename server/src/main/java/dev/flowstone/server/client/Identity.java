package dev.flowstone.server.client;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Who calls; what is empty is left to the server.
 *
 * @param tenant whose runs are meant
 * @param principal {@code user:ID} or {@code service:ID}
 * @param roles with commas between them
 * @param token that the server asks for
 */
public record Identity(
        Optional<String> tenant, Optional<String> principal, Optional<String> roles, Optional<String> token) {
    public Identity {
        requireNonNull(tenant);
        requireNonNull(principal);
        requireNonNull(roles);
        requireNonNull(token);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return principal.orElse("somebody") + " of " + tenant.orElse("the default tenant");
    }
}
