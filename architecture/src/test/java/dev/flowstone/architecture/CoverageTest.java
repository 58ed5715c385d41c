package dev.flowstone.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page that says of each statement of a specification what proves it names tests that there are. That they ran is seen
 * where all of them have, at the end of {@code ./flowstone check}, by {@code build/Coverage.java}, which is put to the test
 * here.
 */
final class CoverageTest {
    private static final Path ROOT = Path.of(System.getProperty("flowstone.root"));
    private static final String PAGE = "docs/dataflow-coverage.md";

    @TempDir
    private Path home;

    @Test
    void everyTestOnThePageStandsInTheSources() throws Exception {
        TestSources sources = TestSources.below(ROOT);
        List<String> missing = TestSources.namesIn(Files.readString(ROOT.resolve(PAGE))).stream()
                .filter(test -> !sources.have(test))
                .toList();
        assertEquals(List.of(), missing, "renamed or removed");
    }

    @Test
    void aTestThatRanProvesItsStatement() throws Exception {
        page("| 1 | it holds | `a.FirstTest#holds` | 5 |", "| 2 | so does this | `a.FirstTest#rows` | 6 |");
        report(
                "a.FirstTest",
                "<testcase name=\"holds\" classname=\"a.FirstTest\"/>"
                        + "<testcase name=\"rows(String)[1]\" classname=\"a.FirstTest\"/>");
        assertEquals(told(0, PAGE + ": 2 statements, 2 proven"), compare());
    }

    @Test
    void aTestThatDidNotRunIsNamedWithItsLine() throws Exception {
        page("| 1 | it holds | `a.FirstTest#holds`, `a.FirstTest#gone` | 5 |");
        report("a.FirstTest", "<testcase name=\"holds\" classname=\"a.FirstTest\"/>");
        assertEquals(
                told(1, PAGE + ":3 names a.FirstTest#gone, which did not run", PAGE + ": 1 statements, 0 proven"),
                compare());
    }

    @Test
    void aTestThatFailedOrWasSkippedProvesNothing() throws Exception {
        page("| 1 | a | `a.FirstTest#rows` | 5 |", "| 2 | b | `a.FirstTest#elsewhere` | 5 |");
        report(
                "a.FirstTest",
                "<testcase name=\"rows(int)[1]\" classname=\"a.FirstTest\"/>"
                        + "<testcase name=\"rows(int)[2]\" classname=\"a.FirstTest\"><failure>no</failure></testcase>"
                        + "<testcase name=\"elsewhere\" classname=\"a.FirstTest\"><skipped/></testcase>");
        assertEquals(
                told(1, PAGE + ": 2 statements, 0 proven, 1 whose test failed, 1 whose test was skipped"), compare());
    }

    @Test
    void statementsWithoutATestAreCountedByTheirPart() throws Exception {
        page("| 1 | a | - | 5 |", "| 2 | b | - | 6 |", "| 3 | a \\| in a cell | - | 6 |");
        assertEquals(
                told(0, PAGE + ": 3 statements, 0 proven, 1 of part 5 without a test, 2 of part 6 without a test"),
                compare());
    }

    @Test
    void noLineEscapesByItsForm() throws Exception {
        page("| 1 | a | a.FirstTest#holds | 5 |", "| 2 | b |  | 5 |", "| 3 | c | - |");
        List<String> told = compare();
        assertEquals("1", told.getFirst());
        for (int line = 3; line <= 5; line++) {
            String place = PAGE + ":" + line + " is no line of the form ";
            assertTrue(told.stream().anyMatch(fault -> fault.startsWith(place)), told::toString);
        }
    }

    private void page(String... rows) throws IOException {
        Path page = home.resolve(PAGE);
        Files.createDirectories(page.getParent());
        Files.writeString(
                page, "| § | what must hold | test | part |\n|---|---|---|---|\n" + String.join("\n", rows) + "\n");
    }

    private void report(String type, String tests) throws IOException {
        Path reports = Files.createDirectories(home.resolve("module/target/surefire-reports"));
        Files.writeString(reports.resolve("TEST-" + type + ".xml"), "<testsuite>" + tests + "</testsuite>");
    }

    private List<String> compare() throws Exception {
        return BuildSource.run("Coverage.java", home);
    }

    private static List<String> told(int exit, String... lines) {
        return Stream.concat(Stream.of(Integer.toString(exit)), Stream.of(lines))
                .toList();
    }
}
