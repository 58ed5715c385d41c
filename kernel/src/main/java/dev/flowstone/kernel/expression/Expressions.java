package dev.flowstone.kernel.expression;

import dev.flowstone.kernel.json.JsonValue;
import java.util.Optional;

/**
 * Pure evaluators. The same source over equal roots gives an equal answer, on any machine, under any load: budgets count
 * steps and bytes, never time. Nothing that a source does makes these throw; only {@link MissingFactException}, which a
 * root may raise, passes through. A root may also raise {@link OmittedException}: the expression then fails with that code.
 */
public interface Expressions {
    /** Why this source can be no condition, whatever it is evaluated on; empty if it can. */
    Optional<ExpressionError> checkCondition(String source);

    /** Evaluates a condition. An error or an exceeded budget counts as false and is reported. */
    Evaluation condition(String source, Roots roots);

    /**
     * Fills in every {@code {{ }}} in the strings of a value, object keys excepted. A string that is one single
     * expression becomes that expression's value with its type; otherwise values are put into the text. A name that does
     * not exist is an error, never an empty text.
     */
    Rendering render(JsonValue template, Roots roots);
}
