package dev.flowstone.server.rate;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.config.RateConfig;
import dev.flowstone.server.http.Allowance;
import dev.flowstone.server.http.Budget;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.Route;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The budgets of this node. */
public final class RateLimits implements Limits {
    /** What anything may be called that has a budget: other names are of nothing, and have one together. */
    private static final Predicate<String> NAME =
            Pattern.compile("[A-Za-z0-9._~-]{1,200}").asMatchPredicate();

    private final Optional<Buckets> calls;
    private final Optional<Buckets> operators;
    private final Optional<Buckets> workers;
    private final Optional<Buckets> webhooks;
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
        this.workflows = buckets(config.executions(), "this workflow", nanos);
        this.everybody = everybody;
    }

    private static Optional<Buckets> buckets(RateConfig.Rate rate, String whose, LongSupplier nanos) {
        return rate.isLimit() ? Optional.of(new Buckets(rate, whose, nanos)) : Optional.empty();
    }

    @Override
    public Optional<Allowance> take(Route route, Map<String, String> variables, Caller caller) {
        boolean operator = caller.standing() == Caller.Standing.OPERATOR;
        boolean apart = operator && !everybody;
        return switch (route.budget()) {
            case Budget.NONE -> Optional.empty();
            case Budget.WATCHING -> operator ? Optional.empty() : of(calls, caller);
            case Budget.CALLS -> of(apart ? operators : calls, caller);
            case Budget.WORKERS -> of(apart ? operators : workers, caller);
            case Budget.WEBHOOKS -> webhooks.map(it -> it.take(webhook(route, variables)));
        };
    }

    private static Optional<Allowance> of(Optional<Buckets> budgets, Caller caller) {
        return budgets.map(it ->
                it.take(BudgetKey.of(caller.tenant().value(), caller.principal().toString())));
    }

    private static BudgetKey webhook(Route route, Map<String, String> variables) {
        Collection<String> names = new TreeMap<>(variables).values();
        return names.stream().allMatch(NAME)
                ? BudgetKey.of(route.path(), String.join("/", names))
                : BudgetKey.of(route.path());
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
