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
     * Counts what a webhook's sender has sent; empty if that isn't limited.
     *
     * @param webhook what no other is called
     */
    default Optional<Allowance> webhook(String webhook) {
        return Optional.empty();
    }

    /** Takes the count of one back of which it turned out that somebody else has sent it, who had overheard it. */
    default void giveBack(String webhook) {}

    /**
     * Counts what came for a webhook and isn't proven to be its sender's; empty if that isn't limited. It is one budget for all that
     * there are and all that there aren't, so that nobody uses up another's, nor learns by it what there is.
     */
    default Optional<Allowance> unproven() {
        return Optional.empty();
    }

    /** Counts a start of a workflow that there is, beside the call that asks for it; empty if that isn't limited. */
    default Optional<Allowance> start(TenantId tenant, WorkflowId workflow) {
        return Optional.empty();
    }

    /** Takes the count of a start back that was let in and started nothing. */
    default void giveBack(TenantId tenant, WorkflowId workflow) {}
}
