package dev.flowstone.expression;

/** Counts what an evaluation uses, down to nothing. Charges come before the work and the memory that they pay for. */
final class Meter {
    private static final int CHARS_PER_STEP = 64;
    private static final int BYTES_PER_VALUE = 16;
    private static final int BYTES_PER_ELEMENT = 8;

    private final long allowedSteps;
    private final long allowedBytes;
    private long steps;
    private long bytes;
    private final int valueDepth;

    Meter(long steps, long bytes, int valueDepth) {
        this.allowedSteps = steps;
        this.allowedBytes = bytes;
        this.steps = steps;
        this.bytes = bytes;
        this.valueDepth = valueDepth;
    }

    static Meter forExpression(ExpressionBudget budget) {
        return new Meter(budget.steps(), budget.bytes(), budget.valueDepth());
    }

    static Meter forTemplate(ExpressionBudget budget) {
        return new Meter(budget.templateSteps(), budget.templateBytes(), budget.valueDepth());
    }

    /** For one expression of a template: its own budget, but not more steps than the template has left. */
    Meter forExpressionWithin(ExpressionBudget budget) {
        return new Meter(Math.min(budget.steps(), steps), budget.bytes(), valueDepth);
    }

    long stepsUsed() {
        return allowedSteps - steps;
    }

    long bytesUsed() {
        return allowedBytes - bytes;
    }

    void step() {
        if (--steps < 0) {
            throw outOfSteps();
        }
    }

    void steps(long count) {
        steps -= count;
        if (steps < 0) {
            throw outOfSteps();
        }
    }

    /** Reading so many characters. */
    void scan(long chars) {
        steps(chars / CHARS_PER_STEP);
    }

    void bytes(long count) {
        bytes -= count;
        if (bytes < 0) {
            bytes = 0;
            throw new Fault(Fault.Code.BUDGET_BYTES, "The expression produces more bytes than its budget allows.", -1);
        }
    }

    /** Making a string of so many characters. */
    void text(long chars) {
        bytes(BYTES_PER_VALUE + 2 * chars);
        scan(chars);
    }

    /** Making an array or object of so many elements. */
    void elements(long count) {
        bytes(BYTES_PER_VALUE + BYTES_PER_ELEMENT * count);
    }

    /** Walking a value: {@code depth} counts from 0. */
    void depth(int depth) {
        if (depth >= valueDepth) {
            throw new Fault(
                    Fault.Code.BUDGET_DEPTH, "The value is nested more than " + valueDepth + " levels deep.", -1);
        }
    }

    private Fault outOfSteps() {
        steps = 0;
        return new Fault(Fault.Code.BUDGET_STEPS, "The expression takes more steps than its budget allows.", -1);
    }
}
