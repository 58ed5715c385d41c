package dev.flowstone.kernel.policy;

import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonObject;
import java.util.List;

/**
 * Pure: the same bundle over equal roots gives an equal verdict, on any machine, under any load. Only {@link
 * dev.flowstone.kernel.expression.MissingFactException}, which a root may raise, passes through, with what was used.
 */
public interface PolicyEvaluator {
    /**
     * What is wrong with a bundle; nothing if it may be published.
     *
     * @param expressions that will evaluate the conditions in it
     */
    List<BundleFault> faults(JsonObject bundle, Expressions expressions);

    /** Evaluates a sound bundle. A rule that can't be evaluated within the budget never allows; the bundle's default may. */
    Verdict evaluate(JsonObject bundle, Roots roots, Expressions expressions, Budget budget);

    /** What one evaluation may use; it stops at the first step that begins when one of them is used up. */
    record Budget(long steps, long bytes) {}
}
