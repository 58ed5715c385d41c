package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.http.Allowance;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Tally;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** One start, counted against its workflow's budget once it is known that there is such a workflow. Belongs to one thread. */
final class StartCount implements BooleanSupplier {
    private final Tally tally;
    private final Limits limits;
    private final TenantId tenant;
    private final WorkflowId workflow;
    private Optional<Allowance> allowance = Optional.empty();

    StartCount(Tally tally, Limits limits, TenantId tenant, WorkflowId workflow) {
        this.tally = requireNonNull(tally);
        this.limits = requireNonNull(limits);
        this.tenant = requireNonNull(tenant);
        this.workflow = requireNonNull(workflow);
    }

    /** Counts; answers whether the budget holds one more. */
    @Override
    public boolean getAsBoolean() {
        allowance = limits.start(tenant, workflow);
        allowance.ifPresent(it -> tally.start(it, () -> limits.giveBack(tenant, workflow)));
        return allowance.flatMap(Allowance::pause).isEmpty();
    }

    /** For one that wasn't let in, and for whose request id there is nothing from before; goes on if it was. */
    void check() throws ProblemException {
        if (allowance.isPresent()) {
            allowance.get().check();
        }
    }
}
