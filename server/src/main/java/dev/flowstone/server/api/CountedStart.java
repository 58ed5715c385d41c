package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.http.Allowance;
import dev.flowstone.server.http.Limits;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** One of the starts that a call asks for, counted once against its workflow's budget however often it is tried. Belongs to one thread. */
final class CountedStart implements BooleanSupplier {
    private final Limits limits;
    private final TenantId tenant;
    private final WorkflowId workflow;
    private boolean counted;

    CountedStart(Limits limits, TenantId tenant, WorkflowId workflow) {
        this.limits = requireNonNull(limits);
        this.tenant = requireNonNull(tenant);
        this.workflow = requireNonNull(workflow);
    }

    /** Whether the budget holds it. */
    @Override
    public boolean getAsBoolean() {
        if (!counted) {
            Optional<Allowance> allowance = limits.start(tenant, workflow);
            counted = allowance.flatMap(Allowance::pause).isEmpty();
        }
        return counted;
    }

    /** It has started nothing. */
    void giveBack() {
        if (counted) {
            limits.giveBack(tenant, workflow);
        }
    }
}
