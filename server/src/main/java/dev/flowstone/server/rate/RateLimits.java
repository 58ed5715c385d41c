package dev.flowstone.server.rate;

import dev.flowstone.server.config.RateConfig;
import dev.flowstone.server.http.Allowance;
import dev.flowstone.server.http.Budget;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.Route;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** The budgets of this node. */
public final class RateLimits implements Limits {
    private final Optional<Buckets> calls;
    private final Optional<Buckets> workers;
    private final Optional<Buckets> webhooks;
    private final Optional<Buckets> workflows;

    public RateLimits(RateConfig config) {
        this(config, System::nanoTime);
    }

    RateLimits(RateConfig config, LongSupplier nanos) {
        this.calls = buckets(config.calls(), nanos);
        this.workers = buckets(config.workers(), nanos);
        this.webhooks = buckets(config.webhooks(), nanos);
        this.workflows = buckets(config.executions(), nanos);
    }

    private static Optional<Buckets> buckets(RateConfig.Rate rate, LongSupplier nanos) {
        return rate.isLimit() ? Optional.of(new Buckets(rate, nanos)) : Optional.empty();
    }

    @Override
    public Optional<Allowance> take(Route route, Map<String, String> variables, Caller caller) {
        String who = caller.tenant() + "\n" + caller.principal();
        return switch (route.budget()) {
            case Budget.NONE -> Optional.empty();
            case Budget.CALLS -> calls.map(it -> it.take(who, "this caller"));
            case Budget.WORKERS -> workers.map(it -> it.take(who, "this caller as a worker"));
            case Budget.WEBHOOKS ->
                webhooks.map(it -> it.take(route.path() + "\n" + new TreeMap<>(variables), "this webhook"));
            case Budget.STARTS -> start(variables, caller, who);
        };
    }

    /** Counts against the workflow only what the caller may. */
    private Optional<Allowance> start(Map<String, String> variables, Caller caller, String who) {
        Optional<Allowance> own = calls.map(it -> it.take(who, "this caller"));
        if (own.flatMap(Allowance::pause).isPresent()) {
            return own;
        }
        Optional<Allowance> workflow =
                workflows.map(it -> it.take(caller.tenant() + "\n" + variables.get("id"), "this workflow"));
        boolean tighter = workflow.isPresent()
                && (own.isEmpty()
                        || workflow.get().pause().isPresent()
                        || workflow.get().left() < own.get().left());
        return tighter ? workflow : own;
    }
}
