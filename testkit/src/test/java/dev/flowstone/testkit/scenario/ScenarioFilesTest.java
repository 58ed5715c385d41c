package dev.flowstone.testkit.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.scenario.check.Difference;
import dev.flowstone.testkit.scenario.report.Coverage;
import dev.flowstone.testkit.scenario.report.ScenarioResult;
import dev.flowstone.testkit.scenario.report.TestReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScenarioFilesTest {
    private static final Path EXAMPLES = Path.of("..", "examples");

    @TempDir
    private Path folder;

    private ScenarioResult run(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("a.scenario.yaml"), text);
        TestReport report = ScenarioFiles.run(file);
        assertEquals(List.of(), report.faults());
        return report.results().getFirst();
    }

    private static List<String> keys(ScenarioResult result) {
        return result.differences().stream().map(Difference::key).toList();
    }

    @Test
    void theExamplesScenariosReachEveryNodeOfEveryExample() throws IOException {
        TestReport report = ScenarioFiles.run(EXAMPLES.resolve("scenarios"));

        Set<String> tested = report.coverage().stream()
                .map(Coverage::definition)
                .filter(it -> it.endsWith(".json"))
                .map(it -> Path.of(it).getFileName().toString())
                .collect(Collectors.toSet());
        try (Stream<Path> examples = Files.walk(EXAMPLES)) {
            assertEquals(
                    examples.filter(it -> !it.startsWith(EXAMPLES.resolve("events"))) // subscriptions, and no workflows
                            .filter(it ->
                                    !it.startsWith(EXAMPLES.resolve("deploy").resolve("triggers")))
                            .map(it -> it.getFileName().toString())
                            .filter(it -> it.endsWith(".json"))
                            .collect(Collectors.toSet()),
                    tested);
        }
        // C of both fan-outs is there to be skipped: its condition is false, whatever the input.
        assertEquals(
                List.of("C", "C"),
                report.coverage().stream()
                        .flatMap(it -> it.missingNodes().stream())
                        .toList());
    }

    @Test
    void everyKeyNoticesWhenTheRunIsOtherwise() throws IOException {
        ScenarioResult result = run("""
                definition: {id: a, displayName: A, startNode: x, nodes: [{id: x, actionType: core.echo}]}
                scenarios:
                  - name: all wrong
                    then:
                      status: failed
                      output: [1]
                      outputContains: {a: 1}
                      error: {code: X}
                      path: [y]
                      visited: [y]
                      skipped: [x]
                      failed: [x]
                      events: [TaskFailed]
                      calls: {core.echo: 2}
                      timers: [{node: x}]
                      tasks: [x]
                      awaits: [x]
                      incidents: [X]
                      variables: {x: 1}
                      children: [{node: x}]
                      signals: [{type: x, key: x, kept: 1}]
                      subject: {version: 1}
                      progress: {percent: 7}
                      ifResumed: {timers: 1}
                      took: 1s
                """);

        assertEquals(
                List.of(
                        "then.status",
                        "then.output",
                        "then.outputContains",
                        "then.error",
                        "then.path",
                        "then.visited",
                        "then.skipped",
                        "then.failed",
                        "then.events",
                        "then.calls",
                        "then.timers",
                        "then.tasks",
                        "then.awaits",
                        "then.incidents",
                        "then.variables",
                        "then.children",
                        "then.signals",
                        "then.subject",
                        "then.progress",
                        "then.ifResumed",
                        "then.took"),
                keys(result));
        assertEquals(5, result.differences().getFirst().line());
        assertEquals(25, result.differences().getLast().line());
    }

    @Test
    void aThenWithoutAStatusMeansSucceeded() throws IOException {
        ScenarioResult result = run("""
                definition: {id: a, displayName: A, startNode: x, nodes: [{id: x, actionType: core.fail}]}
                scenarios: [{name: fails, then: {calls: {core.fail: 1}}}]
                """);

        assertEquals(List.of("then.status"), keys(result));
        assertEquals(
                List.of("expected succeeded, was failed (FAILED: core.fail fails, as it was told to, at x)"),
                result.differences().getFirst().lines());
    }

    @Test
    void whatIsExpectedBetweenStepsIsComparedThereAndTheScenarioGoesOn() throws IOException {
        ScenarioResult result = run("""
                definition:
                  id: a
                  displayName: A
                  startNode: x
                  nodes: [{id: x, actionType: core.delay, parameters: {duration: PT10M}}]
                scenarios:
                  - name: two of three
                    when:
                      - expect: {status: succeeded}
                      - advance: 9m
                      - expect: {status: running}
                      - advance: 1m
                      - expect: {status: running}
                    then: {took: 10m}
                """);

        assertEquals(List.of("expect.status", "expect.status"), keys(result));
        assertEquals(
                List.of(9, 13),
                result.differences().stream().map(Difference::line).toList());
    }

    @Test
    void aRunThatDoesNotEndIsLeftAfterTenYearsWithWhatItWaitsFor() throws IOException {
        ScenarioResult result = run("""
                definition:
                  id: a
                  displayName: A
                  startNode: x
                  nodes:
                    - {id: x, actionType: core.delay, parameters: {duration: P3650D}, edges: [{targetNode: y}]}
                    - {id: y, actionType: core.delay, parameters: {duration: P3650D}}
                settings: {dag.workflowTimeout: 9000d}
                scenarios: [{name: endless, then: {}}]
                """);

        String told = result.told();
        assertTrue(told.contains("still waiting for: timer y (wait) due 2045-12-"), told);
        assertTrue(result.real().compareTo(Duration.ofSeconds(30)) < 0);
    }

    @Test
    void anActionWithoutAStubIsNeverCalledForReal() throws IOException {
        ScenarioResult result = run("""
                definition: {id: a, displayName: A, startNode: x, nodes: [{id: x, actionType: acme.pay}]}
                scenarios:
                  - {name: not stubbed, then: {status: failed}}
                  - {name: stubbed, given: {handlers: {acme.pay: {output: 1}}}, then: {}}
                """);

        assertEquals(
                List.of("x calls acme.pay, which has no stub under given.handlers"),
                result.differences().getFirst().lines());
    }

    @Test
    void aStepThatGoesBackInTimeFailsTheScenarioThere() throws IOException {
        ScenarioResult result = run("""
                definition: {id: a, displayName: A, startNode: x, nodes: [{id: x, actionType: core.echo}]}
                scenarios:
                  - name: back
                    when: [{advanceTo: '2025-12-31T00:00:00Z'}]
                    then: {}
                """);

        assertEquals(List.of("when.advanceTo"), keys(result));
    }

    @Test
    void callsOfWhatIsNotThereAreNoZeroCalls() throws IOException {
        ScenarioResult result = run("""
                definition: {id: a, displayName: A, startNode: x, nodes: [{id: x, actionType: core.echo}]}
                scenarios: [{name: misspelt, then: {calls: {core.ehco: 0}}}]
                """);

        assertFalse(result.passed());
    }

    @Test
    void equalScenariosGiveEqualTimelinesAndAnotherSeedAnotherOne() throws IOException {
        String text = """
                definition:
                  id: a
                  displayName: A
                  startNode: s
                  nodes:
                    - {id: s, actionType: core.echo, edges: [{targetNode: x}, {targetNode: y}, {targetNode: z}]}
                    - {id: x, actionType: acme.x}
                    - {id: y, actionType: acme.x}
                    - {id: z, actionType: acme.x}
                given: {seed: 1, handlers: {acme.x: [{after: 3s, fail: retryable}, {after: 1s, output: {}}]}}
                scenarios: [{name: a, then: {calls: {acme.x: 6}}}]
                """;
        ScenarioResult first = run(text);

        for (int i = 0; i < 20; i++) {
            assertEquals(first.timeline(), run(text).timeline());
        }
        assertFalse(
                first.timeline().equals(run(text.replace("seed: 1", "seed: 2")).timeline()));
    }

    @Test
    void filesThatCannotBeRunKeepNoOtherFromRunning() throws IOException {
        Files.writeString(folder.resolve("a.scenario.yml"), "scenarios: 1");
        Files.createDirectories(folder.resolve("below"));
        Files.copy(EXAMPLES.resolve("dag/sequence.json"), folder.resolve("sequence.json"));
        Files.writeString(
                folder.resolve("below/b.scenario.json"),
                "{\"definition\": \"../sequence.json\", \"scenarios\": [{\"name\": \"n\", \"then\": {}}]}");
        Files.writeString(folder.resolve("c.yaml"), "not a scenario file");

        TestReport report = ScenarioFiles.run(folder);

        assertEquals("1 passed, 0 failed, 1 file not run", report.summary());
        assertFalse(report.succeeded());
    }
}
