package dev.flowstone.server.http;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.Map;
import java.util.Optional;

/** Counts calls. */
@FunctionalInterface
public interface Limits {
    /** Any number is let in. */
    Limits NONE = (route, variables, caller) -> Optional.empty();

    /**
     * Counts one.
     *
     * @param variables of the route's path, decoded
     * @return the tightest of the budgets that it counts against; empty if there is none
     */
    Optional<Allowance> take(Route route, Map<String, String> variables, Caller caller);

    /** Counts a start of a workflow that there is, beside the call that asks for it; empty if that isn't limited. */
    default Optional<Allowance> start(TenantId tenant, WorkflowId workflow) {
        return Optional.empty();
    }

    /** Takes the count of a start back that was let in and started nothing. */
    default void giveBack(TenantId tenant, WorkflowId workflow) {}
}
