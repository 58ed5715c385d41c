package dev.flowstone.action;

import java.util.Optional;

/**
 * Where the credentials of connectors come from (dataflow.md §12.5.2). Asked whenever an action asks, on its thread, by many at once.
 * One that gives each requester a token of their own takes this one's place without a change to any action.
 */
@FunctionalInterface
public interface CredentialProvider {
    /**
     * The credential; empty if there is none.
     *
     * @throws LookupFailedException if nobody can say now
     */
    Optional<Credential> find(CredentialRequest request);

    /** This one, else the other one. */
    default CredentialProvider or(CredentialProvider other) {
        return request -> find(request).or(() -> other.find(request));
    }
}
