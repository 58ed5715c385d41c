package dev.flowstone.testkit.scenario.step;

import dev.flowstone.engine.policy.PolicyVersion;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.policy.BundleFault;
import dev.flowstone.kernel.policy.Policies;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.List;
import java.util.Optional;

/** A policy gets its next version: it decides from now on, for runs that are under way too. */
public record PublishPolicy(PolicyName policy, JsonObject bundle) implements Step {
    private static final ScriptExpressions EXPRESSIONS = new ScriptExpressions();

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
        List<BundleFault> faults = Policies.BUILT_IN.faults(bundle, EXPRESSIONS);
        for (BundleFault fault : faults) {
            value.faults().at(value.pointer() + fault.pointer(), fault.message() + "; " + fault.remedy());
        }
        if (CanonicalJson.exactLength(bundle) > PolicyVersion.MOST_BYTES) {
            value.fault("a policy has at most " + PolicyVersion.MOST_BYTES + " bytes");
            return Optional.empty();
        }
        return faults.isEmpty() ? Optional.of(bundle) : Optional.empty();
    }
}
