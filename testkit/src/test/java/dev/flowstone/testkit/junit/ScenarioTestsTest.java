package dev.flowstone.testkit.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The scenarios of the examples and of the known cases, and what becomes of others. */
final class ScenarioTestsTest {
    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicNode> examples() {
        return ScenarioTests.of(Path.of("..", "examples", "scenarios"));
    }

    @TestFactory
    Stream<DynamicNode> cases() {
        return ScenarioTests.of(Path.of("src", "test", "resources", "scenarios"));
    }

    @Test
    void aScenarioThatIsOtherwiseFailsWithItsDifference() throws Exception {
        AssertionError error = assertThrows(
                AssertionError.class, () -> only("""
                definition: {id: a, displayName: A, startNode: x, nodes: [{id: x, actionType: core.echo}]}
                scenarios:
                  - name: wrong
                    then: {output: {a: 1}}
                """).getExecutable().execute());

        assertTrue(String.valueOf(error.getMessage()).contains("/a  expected 1, is missing"), error::getMessage);
        assertTrue(String.valueOf(error.getMessage()).contains("RunCompleted"), error::getMessage);
    }

    @Test
    void aFileThatCannotBeRunFails() throws Exception {
        DynamicTest test = only("scenarios: []\n");

        AssertionError error =
                assertThrows(AssertionError.class, () -> test.getExecutable().execute());

        assertEquals("can be run", test.getDisplayName());
        assertTrue(String.valueOf(error.getMessage()).contains("the key 'definition' is missing"), error::getMessage);
    }

    private DynamicTest only(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("x.scenario.yaml"), text);
        List<DynamicNode> files = ScenarioTests.of(file).toList();
        return (DynamicTest)
                ((DynamicContainer) files.getFirst()).getChildren().findFirst().orElseThrow();
    }
}
