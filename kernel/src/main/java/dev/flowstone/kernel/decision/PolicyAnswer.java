package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.PolicyDecision;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.policy.PolicyEvaluator;
import dev.flowstone.kernel.policy.Verdict;
import java.util.Optional;

/** What a published policy says to a run at this moment, with what it took to find out (R1, R3). */
record PolicyAnswer(PolicyDecision decision, JsonObject read, Optional<ExpressionError> error, long steps, long bytes) {
    static PolicyAnswer of(Deciding deciding, PolicyName name, PolicyEvaluator.Budget budget) {
        Fact fact = new Fact.Policy(name);
        JsonValue published = deciding.env().facts().get(fact);
        if (published == null) {
            throw new MissingFactException(fact);
        }
        if (published.equals(JsonNull.NULL)) {
            String reason = "there is no published policy " + name;
            return refused(new PolicyDecision(name, 0, Sha256.ZERO, false, Optional.empty(), reason), "POLICY_MISSING");
        }
        JsonCursor at = JsonCursor.of(published);
        int version = at.intValue("version");
        Sha256 hash = at.as("hash", Sha256::parse);
        JsonObject bundle = at.member("bundle").object();
        Optional<PolicyEvaluator> evaluator = deciding.env().policies().of(bundle);
        if (evaluator.isEmpty()) {
            String reason = "nothing here evaluates policies of its kind";
            return refused(
                    new PolicyDecision(name, version, hash, false, Optional.empty(), reason), "POLICY_KIND_UNKNOWN");
        }
        Verdict verdict = evaluator
                .get()
                .evaluate(bundle, deciding.roots(), deciding.env().expressions(), budget);
        return new PolicyAnswer(
                new PolicyDecision(
                        name,
                        version,
                        hash,
                        verdict.allowed(),
                        verdict.rule().map(rule -> Answers.text(rule, Answers.EXPRESSION)),
                        Answers.text(verdict.reason(), Answers.EXPRESSION)),
                verdict.read(),
                verdict.error(),
                verdict.steps(),
                verdict.bytes());
    }

    private static PolicyAnswer refused(PolicyDecision decision, String code) {
        ExpressionError error = new ExpressionError(code, decision.reason(), -1);
        return new PolicyAnswer(decision, JsonObject.EMPTY, Optional.of(error), 1, 0);
    }
}
