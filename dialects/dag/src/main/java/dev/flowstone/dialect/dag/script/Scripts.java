package dev.flowstone.dialect.dag.script;

import dev.flowstone.kernel.expression.ExpressionError;
import java.util.Optional;
import java.util.Set;

/** What a dialect asks of the expression language when nothing runs yet. */
public interface Scripts {
    /** Why this isn't a condition, if it isn't. */
    Optional<ExpressionError> checkCondition(String source);

    /** Why this isn't a template, if it isn't. */
    Optional<ExpressionError> checkTemplate(String source);

    /** The nodes whose data a condition reads, as far as its text says. */
    Set<String> conditionReads(String source);

    /** The nodes whose data a template reads, as far as its text says. */
    Set<String> templateReads(String source);
}
