package dev.flowstone.expression;

import dev.flowstone.kernel.expression.ExpressionError;

/** What became of a source: a script or a text with holes, or the reason why not. Cached either way. */
sealed interface Compilation permits Script, TextTemplate, Compilation.Refused {
    /** The source is no expression, or none that is allowed. */
    record Refused(ExpressionError error) implements Compilation {}
}
