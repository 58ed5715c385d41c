package dev.flowstone.testkit.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.scenario.report.TestReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The page of workflow patterns says no more than what runs. */
final class PatternsTest {
    private static final Path PAGE = Path.of("..", "docs", "patterns.md");
    private static final Path FOLDER = Path.of("src", "test", "resources", "scenarios", "patterns");
    private static final String SUFFIX = ".scenario.yaml";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\|.*\\| (yes|partly|no) \\|.*\\| (.*) ?\\|$");

    private static List<MatchResult> rows() throws Exception {
        return ROW.matcher(Files.readString(PAGE)).results().toList();
    }

    @Test
    void everyPatternHasItsRow() throws Exception {
        assertEquals(
                IntStream.rangeClosed(1, 43).boxed().toList(),
                rows().stream().map(it -> Integer.valueOf(it.group(1))).sorted().toList());
    }

    @Test
    void everyFileThatIsNamedRanAndPassedAndNoOtherIsThere() throws Exception {
        TestReport report = ScenarioFiles.run(FOLDER);
        Set<String> ran = report.results().stream()
                .map(it -> it.file().getFileName().toString().replace(SUFFIX, ""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertTrue(report.succeeded(), () -> report.faults() + report.results().toString());
        Set<String> named = new TreeSet<>();
        for (MatchResult row : rows()) {
            String file = row.group(3).strip().replace("`", "");
            assertTrue(!file.isEmpty() || row.group(2).equals("no"), row.group(1));
            assertTrue(file.isEmpty() || file.startsWith("wcp-%02d-".formatted(Integer.parseInt(row.group(1)))), file);
            if (!file.isEmpty()) {
                named.add(file);
            }
        }
        assertEquals(named, ran);
    }
}
