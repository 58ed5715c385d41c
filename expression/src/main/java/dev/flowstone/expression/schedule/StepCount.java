package dev.flowstone.expression.schedule;

/** Counts what a search looks at (months, years and changes of offset), so that its bound can be tested without a clock. */
final class StepCount {
    private int steps;

    void add() {
        steps++;
    }

    int steps() {
        return steps;
    }
}
