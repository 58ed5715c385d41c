package dev.flowstone.kernel.policy;

import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/**
 * Pure: the same bundle over equal roots gives an equal verdict, on any machine, under any load. Only {@link
 * dev.flowstone.kernel.expression.MissingFactException}, which a root may raise, passes through, with what was used.
 */
public interface PolicyEvaluator {
    /** What is wrong with a bundle, in one sentence for its author; empty if it may be published. */
    Optional<String> fault(JsonObject bundle);

    /** Evaluates a sound bundle. A rule that can't be evaluated within the budget never allows; the bundle's default may. */
    Verdict evaluate(JsonObject bundle, Roots roots, Expressions expressions, Budget budget);

    /** What one evaluation may use; it stops at the first step that begins when one of them is used up. */
    record Budget(long steps, long bytes) {}
}
