package dev.flowstone.testkit.junit;

import dev.flowstone.testkit.scenario.ScenarioFiles;
import dev.flowstone.testkit.scenario.file.ReadFile;
import dev.flowstone.testkit.scenario.file.Scenario;
import dev.flowstone.testkit.scenario.file.ScenarioFile;
import dev.flowstone.testkit.scenario.report.ScenarioResult;
import dev.flowstone.testkit.scenario.source.FileFault;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;

/**
 * A JUnit test for each scenario, named after it, in a container for each file:
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicNode> scenarios() {
 *     return ScenarioTests.of(Path.of("src/test/scenarios"));
 * }
 * }</pre>
 */
public final class ScenarioTests {
    private ScenarioTests() {}

    /** Of these files, and of the scenario files in and below these folders. A file that can't be run fails. */
    public static Stream<DynamicNode> of(Path... paths) {
        return of(new ScenarioFiles(), paths);
    }

    /** The same, with dialects of one's own. */
    public static Stream<DynamicNode> of(ScenarioFiles files, Path... paths) {
        return files.read(List.of(paths)).stream().map(ScenarioTests::container);
    }

    private static DynamicNode container(ReadFile read) {
        Stream<DynamicTest> tests = switch (read) {
            case ReadFile.Faulty(Path path, List<FileFault> faults) ->
                Stream.of(DynamicTest.dynamicTest("can be run", path.toUri(), () -> fail(faults)));
            case ReadFile.Sound(ScenarioFile file) ->
                file.scenarios().stream()
                        .map(scenario -> DynamicTest.dynamicTest(
                                scenario.name(), file.file().toUri(), () -> pass(file, scenario)));
        };
        return DynamicContainer.dynamicContainer(read.path().toString(), tests);
    }

    private static void pass(ScenarioFile file, Scenario scenario) {
        ScenarioResult result = ScenarioFiles.run(file, scenario);
        if (!result.passed()) {
            throw new AssertionError(file.file() + ":" + scenario.line() + "\n" + result.told() + "\n\n"
                    + String.join("\n", result.timeline()));
        }
    }

    private static void fail(List<FileFault> faults) {
        throw new AssertionError(faults.stream().map(FileFault::toString).collect(Collectors.joining("\n")));
    }
}
