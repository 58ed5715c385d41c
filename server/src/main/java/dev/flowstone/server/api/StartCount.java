package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.http.Allowance;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** One start, counted against its workflow's budget once it is known that there is such a workflow. Belongs to one thread. */
final class StartCount implements BooleanSupplier {
    private final Limits limits;
    private final TenantId tenant;
    private final WorkflowId workflow;
    private Optional<Allowance> allowance = Optional.empty();

    StartCount(Limits limits, TenantId tenant, WorkflowId workflow) {
        this.limits = requireNonNull(limits);
        this.tenant = requireNonNull(tenant);
        this.workflow = requireNonNull(workflow);
    }

    /** Counts; answers whether the budget holds one more. */
    @Override
    public boolean getAsBoolean() {
        allowance = limits.start(tenant, workflow);
        return allowance.flatMap(Allowance::pause).isEmpty();
    }

    /** Goes on if it was let in. */
    void check() throws ProblemException {
        if (allowance.isPresent()) {
            allowance.get().check();
        }
    }

    Reply on(Reply reply) {
        return allowance.map(it -> it.on(reply)).orElse(reply);
    }
}
