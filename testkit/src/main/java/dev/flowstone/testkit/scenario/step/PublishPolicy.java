package dev.flowstone.testkit.scenario.step;

import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.policy.Policies;
import dev.flowstone.kernel.policy.PolicyEvaluator;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.List;
import java.util.Optional;

/** A policy gets its next version: it decides from now on, for runs that are under way too. */
public record PublishPolicy(PolicyName policy, JsonObject bundle) implements Step {
    static Optional<Step> read(Cursor value) {
        Members at = value.members(List.of("name", "bundle"));
        Optional<PolicyName> name = at.need("name").flatMap(it -> it.text().flatMap(text -> name(it, text)));
        Optional<JsonObject> bundle = at.need("bundle").flatMap(PublishPolicy::bundle);
        return name.flatMap(named -> bundle.map(it -> new PublishPolicy(named, it)));
    }

    @Override
    public void perform(Stage stage) {
        stage.publish(policy, bundle);
    }

    /** A policy's name; a fault if it can be none. */
    public static Optional<PolicyName> name(Cursor at, String text) {
        try {
            return Optional.of(new PolicyName(text));
        } catch (IllegalArgumentException e) {
            at.fault(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** What a policy says; a fault if it could not be published either. */
    public static Optional<JsonObject> bundle(Cursor value) {
        if (!(value.value() instanceof JsonObject bundle)) {
            value.expected("a policy's bundle");
            return Optional.empty();
        }
        Optional<PolicyEvaluator> evaluator = Policies.BUILT_IN.of(bundle);
        if (evaluator.isEmpty()) {
            value.fault("'kind' is none that is evaluated here: "
                    + String.join(", ", Policies.BUILT_IN.byKind().keySet()));
            return Optional.empty();
        }
        Optional<String> fault = evaluator.get().fault(bundle);
        fault.ifPresent(value::fault);
        return fault.isEmpty() ? Optional.of(bundle) : Optional.empty();
    }
}
