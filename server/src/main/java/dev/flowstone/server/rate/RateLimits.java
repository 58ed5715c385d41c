package dev.flowstone.server.rate;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.config.RateConfig;
import dev.flowstone.server.http.Allowance;
import dev.flowstone.server.http.Budget;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.Route;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The budgets of this node. */
public final class RateLimits implements Limits {
    /** Of whoever runs the installation, who may call themselves anything. */
    private static final BudgetKey OPERATORS = BudgetKey.of();

    /** Of all who prove nothing. */
    private static final BudgetKey STRANGERS = BudgetKey.of();

    private final Optional<Buckets> calls;
    private final Optional<Buckets> operators;
    private final Optional<Buckets> workers;
    private final Optional<Buckets> webhooks;
    private final Optional<Buckets> unproven;
    private final Optional<Buckets> workflows;
    private final boolean everybody;

    /** @param everybody whether who runs the installation is counted like others, since that is who calls without a token, too */
    public RateLimits(RateConfig config, boolean everybody) {
        this(config, everybody, System::nanoTime);
    }

    RateLimits(RateConfig config, boolean everybody, LongSupplier nanos) {
        this.calls = buckets(config.calls(), "this caller", nanos);
        this.operators = buckets(config.operators(), "this caller", nanos);
        this.workers = buckets(config.workers(), "this caller as a worker", nanos);
        this.webhooks = buckets(config.webhooks(), "this webhook", nanos);
        this.unproven = buckets(config.webhooks(), "what no webhook's signature proves", nanos);
        this.workflows = buckets(config.executions(), "this workflow", nanos);
        this.everybody = everybody;
    }

    private static Optional<Buckets> buckets(RateConfig.Rate rate, String whose, LongSupplier nanos) {
        return rate.isLimit() ? Optional.of(new Buckets(rate, whose, nanos)) : Optional.empty();
    }

    @Override
    public Optional<Allowance> take(Route route, Caller caller) {
        boolean operator = caller.standing() == Caller.Standing.OPERATOR;
        return switch (route.budget()) {
            case Budget.NONE, Budget.WEBHOOKS -> Optional.empty();
            case Budget.WATCHING -> operator ? Optional.empty() : of(calls, caller);
            case Budget.CALLS -> operator && !everybody ? ofOperators() : of(calls, caller);
            case Budget.WORKERS -> operator && !everybody ? ofOperators() : of(asWorkers(route, caller), caller);
        };
    }

    /** Whoever isn't let in as a worker has no worker's budget to be refused from. */
    private Optional<Buckets> asWorkers(Route route, Caller caller) {
        return caller.scopes().contains(route.scope()) ? workers : calls;
    }

    private Optional<Allowance> ofOperators() {
        return operators.map(it -> it.take(OPERATORS));
    }

    private static Optional<Allowance> of(Optional<Buckets> budgets, Caller caller) {
        return budgets.map(it ->
                it.take(BudgetKey.of(caller.tenant().value(), caller.principal().toString())));
    }

    @Override
    public Optional<Allowance> webhook(String webhook) {
        return webhooks.map(it -> it.take(BudgetKey.of(webhook)));
    }

    @Override
    public void giveBack(String webhook) {
        webhooks.ifPresent(it -> it.giveBack(BudgetKey.of(webhook)));
    }

    @Override
    public Optional<Allowance> unproven() {
        return unproven.map(it -> it.take(STRANGERS));
    }

    @Override
    public Optional<Allowance> start(TenantId tenant, WorkflowId workflow) {
        return workflows.map(it -> it.take(key(tenant, workflow)));
    }

    @Override
    public void giveBack(TenantId tenant, WorkflowId workflow) {
        workflows.ifPresent(it -> it.giveBack(key(tenant, workflow)));
    }

    private static BudgetKey key(TenantId tenant, WorkflowId workflow) {
        return BudgetKey.of(tenant.value(), workflow.value());
    }
}
