package dev.flowstone.testkit.scenario.check;

import dev.flowstone.testkit.scenario.source.Cursor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code took}, exactly, or {@code within}, at most: the run's virtual time from its start to its end, or until now. */
record TimeCheck(Duration expected, boolean exactly) implements Check {
    static Optional<Check> within(Cursor value) {
        return value.duration().map(it -> new TimeCheck(it, false));
    }

    static Optional<Check> took(Cursor value) {
        return value.duration().map(it -> new TimeCheck(it, true));
    }

    @Override
    public List<String> differences(Observed run) {
        Duration took = run.took();
        if (exactly) {
            return took.equals(expected) ? List.of() : List.of("expected " + expected + ", was " + took);
        }
        return took.compareTo(expected) <= 0 ? List.of() : List.of("expected at most " + expected + ", was " + took);
    }
}
