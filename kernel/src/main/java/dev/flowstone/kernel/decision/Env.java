package dev.flowstone.kernel.decision;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Map;

/**
 * What a decision may use besides the run's state: pure evaluators, facts fetched so far, tenant variables, bounds.
 *
 * @param vars the tenant's variables
 */
public record Env(Expressions expressions, Map<Fact, JsonValue> facts, JsonObject vars, Bounds bounds) {
    public Env {
        requireNonNull(expressions);
        facts = Map.copyOf(facts);
        requireNonNull(vars);
        requireNonNull(bounds);
    }
}
