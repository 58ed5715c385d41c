package dev.flowstone.expression;

/**
 * A part of a compiled expression. Immutable; evaluated by any number of threads at once. As deep as the source is nested,
 * which {@link ExpressionBudget#sourceDepth()} bounds: evaluation may recurse on small stacks.
 */
sealed interface Node
        permits ArrayLiteralNode,
                BinaryChain,
                Chain,
                Choice,
                FunctionCallNode,
                Literal,
                LocalName,
                ObjectLiteralNode,
                RegexTest,
                RootName,
                ShortCircuit,
                TemplateText,
                Unary {
    /** A {@link dev.flowstone.kernel.json.JsonValue}, a {@link Double} or {@link Undefined}. */
    Object evaluate(Frame frame);
}
