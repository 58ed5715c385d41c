package dev.flowstone.testkit.scenario.check;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What was not as expected.
 *
 * @param key of the file that expected it, such as {@code then.output}
 * @param line of that key, from 1
 * @param lines for a person, at least one
 */
public record Difference(String key, int line, List<String> lines) {
    public Difference {
        requireNonNull(key);
        lines = List.copyOf(lines);
    }

    @Override
    public String toString() {
        return "line " + line + ", " + key + ": " + String.join("\n", lines);
    }
}
