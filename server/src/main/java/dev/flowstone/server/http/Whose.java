package dev.flowstone.server.http;

import dev.flowstone.kernel.id.TenantId;
import java.util.Map;
import java.util.Optional;

/** Tells in whose place a call stands before anything of it is read, where its caller doesn't tell. Never waits for anything. */
@FunctionalInterface
public interface Whose {
    /** In its caller's tenant's. */
    Whose CALLERS = _ -> Optional.empty();

    /**
     * The tenant in whose place it stands; empty for its caller's.
     *
     * @param variables of the route's path
     */
    Optional<TenantId> tenant(Map<String, String> variables);
}
