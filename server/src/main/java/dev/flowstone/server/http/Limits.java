package dev.flowstone.server.http;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.Optional;

/** Counts calls. */
@FunctionalInterface
public interface Limits {
    /** Any number is let in. */
    Limits NONE = (route, caller) -> Optional.empty();

    /** Counts one; empty if what it counts against isn't limited, or only the route knows. */
    Optional<Allowance> take(Route route, Caller caller);

    /**
     * Counts a call of a webhook; empty if that isn't limited.
     *
     * @param found what no other is called; empty if there is no such webhook: all that there aren't have one budget together, so that
     *     nobody gets a full one by making up a name
     */
    default Optional<Allowance> webhook(Optional<String> found) {
        return Optional.empty();
    }

    /** Counts a start of a workflow that there is, beside the call that asks for it; empty if that isn't limited. */
    default Optional<Allowance> start(TenantId tenant, WorkflowId workflow) {
        return Optional.empty();
    }

    /** Takes the count of a start back that was let in and started nothing. */
    default void giveBack(TenantId tenant, WorkflowId workflow) {}
}
