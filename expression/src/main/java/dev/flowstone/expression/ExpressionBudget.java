package dev.flowstone.expression;

/**
 * What one expression, and one template, may use at most. Everything is counted, nothing is timed: the same source over
 * equal roots ends the same way on any machine under any load.
 *
 * <p>The specification allows a script 500 statements, 4 MiB and a recursion of 10. An expression is a single statement
 * made of many steps, so that a statement is taken as 200 steps. A step is one node evaluated, one element visited, or 64
 * characters scanned. Bytes are those of every string, array and object produced, temporary ones included, charged before
 * they are made: two for each character, eight for each element, and sixteen for each value.
 *
 * <p>The steps that an evaluation reports to the decision it is part of, which has a bound of its own, are those used and
 * those of compiling: one for each character of the source and {@link #STEPS_PER_SOURCE}, compiled already or not. These
 * do not count against {@code steps} and {@code templateSteps}. The bytes that it reports are those produced; for a
 * template, by each of its expressions and for the result.
 *
 * @param sourceChars characters in one expression
 * @param sourceDepth nesting in one expression
 * @param functionDepth arrow functions inside arrow functions
 * @param steps of one expression
 * @param bytes of one expression
 * @param valueDepth nesting in a value that is walked: compared, turned into text, rendered
 * @param templateSteps of all expressions in one template; each costs {@link #STEPS_PER_TEMPLATE_EXPRESSION} before it
 *     begins
 * @param templateBytes of all values that one template's expressions put into the result
 */
public record ExpressionBudget(
        int sourceChars,
        int sourceDepth,
        int functionDepth,
        long steps,
        long bytes,
        int valueDepth,
        long templateSteps,
        long templateBytes) {

    /** Stands for the work of finding and compiling an expression, whether or not it is compiled already. */
    public static final int STEPS_PER_TEMPLATE_EXPRESSION = 200;

    /** The least that a condition, and a template, reports, besides a step for each character that is compiled. */
    public static final int STEPS_PER_SOURCE = 200;

    /** What a statement of the specification is taken as. */
    public static final int STEPS_PER_STATEMENT = 200;

    public static final ExpressionBudget DEFAULT =
            new ExpressionBudget(4_096, 64, 10, 500 * STEPS_PER_STATEMENT, 4L << 20, 256, 1_000_000, 32L << 20);

    public ExpressionBudget {
        inRange("sourceChars", sourceChars, 1, 65_536);
        inRange("sourceDepth", sourceDepth, 1, 256);
        inRange("functionDepth", functionDepth, 0, 64);
        inRange("steps", steps, 1, 1L << 40);
        inRange("bytes", bytes, 1, 1L << 30);
        inRange("valueDepth", valueDepth, 1, 512);
        inRange("templateSteps", templateSteps, 1, 1L << 40);
        inRange("templateBytes", templateBytes, 1, 1L << 30);
    }

    private static void inRange(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " must be between " + least + " and " + most + ", but is " + value);
        }
    }
}
