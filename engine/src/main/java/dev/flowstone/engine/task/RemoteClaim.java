package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.util.List;

/**
 * What a worker asks for.
 *
 * @param worker its name, for people
 * @param actions that it can do; they take turns
 * @param most that it has room for
 * @param lease for how long it may be silent
 */
public record RemoteClaim(TenantId tenant, String worker, List<HandlerName> actions, int most, Duration lease) {
    public RemoteClaim {
        requireNonNull(tenant);
        requireNonNull(worker);
        actions = List.copyOf(actions);
        requireNonNull(lease);
        if (actions.isEmpty() || most < 1 || lease.isNegative() || lease.isZero()) {
            throw new IllegalArgumentException("a claim names actions, has room for one, and holds for a while");
        }
    }
}
