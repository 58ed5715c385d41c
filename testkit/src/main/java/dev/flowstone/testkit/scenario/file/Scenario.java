package dev.flowstone.testkit.scenario.file;

import static java.util.Objects.requireNonNull;

import dev.flowstone.testkit.scenario.check.Expectation;
import dev.flowstone.testkit.scenario.step.StepKind;
import java.util.List;

/**
 * One story: what is given, what happens, what is expected.
 *
 * @param line where it begins in its file
 */
public record Scenario(String name, int line, Given given, List<StepKind.Placed> when, Expectation then) {
    public Scenario {
        requireNonNull(name);
        requireNonNull(given);
        when = List.copyOf(when);
        requireNonNull(then);
    }
}
