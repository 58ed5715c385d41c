package dev.flowstone.kernel.policy;

import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The evaluators there are, by the kind that a bundle names. */
public record Policies(Map<String, PolicyEvaluator> byKind) {
    /** Ordered rules, and nothing else. */
    public static final Policies BUILT_IN = new Policies(Map.of(OrderedRules.KIND, new OrderedRules()));

    private static final String KIND = "kind";

    public Policies {
        byKind = Map.copyOf(byKind);
    }

    /** What keeps a bundle from being published, its kind before all else; nothing if it may be. */
    public List<BundleFault> faults(JsonObject bundle, Expressions expressions) {
        return of(bundle)
                .map(evaluator -> evaluator.faults(bundle, expressions))
                .orElseGet(() -> List.of(new BundleFault(
                        BundleFault.Code.POLICY_KIND,
                        bundle.get(KIND) == null ? "" : "/" + KIND,
                        "'kind' names nothing that evaluates policies here",
                        "known are "
                                + String.join(
                                        ", ", byKind.keySet().stream().sorted().toList()))));
    }

    /** Who evaluates this bundle. */
    public Optional<PolicyEvaluator> of(JsonObject bundle) {
        return bundle.get(KIND) instanceof JsonString kind
                ? Optional.ofNullable(byKind.get(kind.value()))
                : Optional.empty();
    }
}
