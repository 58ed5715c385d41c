package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.event.PolicyDecision;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.json.JsonObject;
import java.util.List;

/**
 * What policies said, where an event can hold little else: bundle, version, hash and verdict of each, and of their texts
 * together no more than a policy itself may have.
 */
final class BriefPolicies {
    /** Characters of all rules' names, reasons and errors together. */
    static final int TEXT = 64 << 10;

    /** Texts of one decision: its rule, its reason, its error's code and message. */
    private static final int TEXTS = 4;

    private BriefPolicies() {}

    /** The conditions that asked a policy, without what they read. */
    static List<EvaluatedCondition> of(List<EvaluatedCondition> conditions) {
        List<EvaluatedCondition> asked =
                conditions.stream().filter(it -> it.policy().isPresent()).toList();
        int share = Math.max(1, TEXT / (TEXTS * Math.max(1, asked.size())));
        return asked.stream().map(it -> brief(it, share)).toList();
    }

    private static EvaluatedCondition brief(EvaluatedCondition condition, int share) {
        return new EvaluatedCondition(
                condition.edge(),
                condition.expression(),
                JsonObject.EMPTY,
                condition.result(),
                condition
                        .error()
                        .map(it -> new ExpressionError(
                                Answers.text(it.code(), share), Answers.text(it.message(), share), it.position())),
                condition.policy().map(it -> brief(it, share)));
    }

    private static PolicyDecision brief(PolicyDecision decision, int share) {
        return new PolicyDecision(
                decision.bundle(),
                decision.version(),
                decision.hash(),
                decision.allowed(),
                decision.rule().map(rule -> Answers.text(rule, share)),
                Answers.text(decision.reason(), share));
    }
}
