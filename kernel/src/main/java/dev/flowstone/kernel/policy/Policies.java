package dev.flowstone.kernel.policy;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.Map;
import java.util.Optional;

/** The evaluators there are, by the kind that a bundle names. */
public record Policies(Map<String, PolicyEvaluator> byKind) {
    /** Ordered rules, and nothing else. */
    public static final Policies BUILT_IN = new Policies(Map.of(OrderedRules.KIND, new OrderedRules()));

    public Policies {
        byKind = Map.copyOf(byKind);
    }

    /** Who evaluates this bundle. */
    public Optional<PolicyEvaluator> of(JsonObject bundle) {
        return bundle.get("kind") instanceof JsonString kind
                ? Optional.ofNullable(byKind.get(kind.value()))
                : Optional.empty();
    }
}
