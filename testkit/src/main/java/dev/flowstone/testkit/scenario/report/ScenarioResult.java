package dev.flowstone.testkit.scenario.report;

import static java.util.Objects.requireNonNull;

import dev.flowstone.testkit.scenario.check.Difference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What became of one scenario.
 *
 * @param line where it begins in its file
 * @param differences nothing, if it passed
 * @param virtual time that passed in it
 * @param real time that it took
 * @param timeline the run's events, one line each
 * @param reached what it reached of its definition
 */
public record ScenarioResult(
        Path file,
        String name,
        int line,
        List<Difference> differences,
        Duration virtual,
        Duration real,
        List<String> timeline,
        Reached reached) {
    public ScenarioResult {
        requireNonNull(file);
        requireNonNull(name);
        differences = List.copyOf(differences);
        requireNonNull(virtual);
        requireNonNull(real);
        timeline = List.copyOf(timeline);
        requireNonNull(reached);
    }

    public boolean passed() {
        return differences.isEmpty();
    }

    /** What differs, as a text of some lines. */
    public String told() {
        return differences.stream()
                .map(it -> it.key() + " (line " + it.line() + ")\n    " + String.join("\n    ", it.lines()))
                .collect(Collectors.joining("\n"));
    }
}
