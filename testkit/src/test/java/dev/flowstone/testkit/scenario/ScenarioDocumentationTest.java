package dev.flowstone.testkit.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.scenario.check.CheckKind;
import dev.flowstone.testkit.scenario.report.TestReport;
import dev.flowstone.testkit.scenario.step.StepKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page for users says what there is. */
final class ScenarioDocumentationTest {
    private static final Path PAGE = Path.of("..", "docs", "scenarios.md");

    @TempDir
    private Path folder;

    @Test
    void theCompleteExamplePasses() throws Exception {
        Matcher block = Pattern.compile("(?s)```yaml\n(.*?)```").matcher(Files.readString(PAGE));
        assertTrue(block.find(), "there is an example");

        TestReport report = ScenarioFiles.run(Files.writeString(folder.resolve("a.yaml"), block.group(1)));

        assertTrue(report.succeeded(), () -> report.faults() + report.results().toString());
        assertEquals(2, report.passed());
    }

    @Test
    void theProgramInShortFormIsOne() throws Exception {
        Matcher block = Pattern.compile("(?s)```yaml\n(program:.*?)```").matcher(Files.readString(PAGE));
        assertTrue(block.find(), "there is an example");
        String scenario = """
                given: {handlers: {acme.pay: {fail: permanent}}}
                scenarios:
                  - name: one of two
                    when: [{decide: {task: law, outcome: approved, by: ann}}]
                    then: {visited: [ask, law, pay, both, sorry]}
                """;

        TestReport report = ScenarioFiles.run(Files.writeString(folder.resolve("a.yaml"), block.group(1) + scenario));

        assertTrue(report.succeeded(), () -> report.faults() + report.results().toString());
    }

    @Test
    void whatIsSaidOfATaskThatChangesTheSubjectIsSo() throws Exception {
        Matcher block = Pattern.compile("(?s)```yaml\n(given:\n  subject:.*?)(then:.*?)```")
                .matcher(Files.readString(PAGE));
        assertTrue(block.find(), "there is an example");
        String program = "program: {flow: {post: {task: ledger.post, retry: 3, to: done}, done: {end: success}}}\n";
        String scenario = "scenarios:\n  - name: posts\n" + block.group(2).indent(4);

        TestReport report =
                ScenarioFiles.run(Files.writeString(folder.resolve("a.yaml"), program + block.group(1) + scenario));

        assertTrue(report.succeeded(), () -> report.faults() + report.results().toString());
    }

    @Test
    void everyKeyAndStepIsThere() throws Exception {
        String page = Files.readString(PAGE);

        for (CheckKind kind : CheckKind.values()) {
            assertTrue(page.contains("| `" + kind.key() + "` |"), kind::key);
        }
        for (StepKind kind : StepKind.values()) {
            assertTrue(page.contains("| `" + kind.word() + ": "), kind::word);
        }
    }
}
