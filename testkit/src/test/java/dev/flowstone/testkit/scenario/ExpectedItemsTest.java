package dev.flowstone.testkit.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.testkit.scenario.check.Difference;
import dev.flowstone.testkit.scenario.report.TestReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a scenario expects of a timer, a task, a child counts word by word: one wrong word is one difference. */
final class ExpectedItemsTest {
    /** Waits for a timer, a person, a signal and a child, all at once. */
    private static final String FILE = """
            program:
              flow:
                split:
                  fork:
                    a: {flow: {wait: {timer: 1h, to: all}}}
                    b: {flow: {ask: {human: [ann], request: {n: 1}, on: {approved: all, rejected: all}}}}
                    c: {flow: {hear: {await: {signal: go, key: k}, to: all}}}
                    d: {flow: {call: {call: child, to: all}}}
                  join: all
                all: {join: all, to: done}
                done: {end: success}
            given: {workflows: [{program: {id: child, flow: {nap: {timer: 2h, to: done}, done: {end: success}}}}]}
            scenarios:
              - name: under way
                when:
                  - expect: {KEY: ITEMS}
                  - decide: {task: ask, outcome: approved, by: ann}
                  - signal: {type: go, key: k}
                then: {took: 2h}
            """;

    @TempDir
    private Path folder;

    private List<String> differences(String key, String items) throws IOException {
        return run(FILE.replace("KEY", key).replace("ITEMS", items));
    }

    private List<String> run(String text) throws IOException {
        TestReport report = ScenarioFiles.run(Files.writeString(folder.resolve("a.scenario.yaml"), text));
        assertEquals(List.of(), report.faults());
        return report.results().getFirst().differences().stream()
                .map(Difference::key)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "timers|[{node: wait, purpose: wait, in: 1h, due: '2026-01-01T01:00:00Z'}]",
                "tasks|[{node: ask, activation: 'ask#1', asked: ['user:ann'], decisions: 0, request: {n: 1}}]",
                "awaits|[{node: hear, activation: 'hear#1', name: go}]",
                "children|[{node: call, workflow: child, status: running, timers: [{node: nap, in: 2h}]}]",
                "signals|[{type: go, key: k, kept: 0, waiting: 1}]"
            })
    void whatIsSoIsFound(String key, String items) throws IOException {
        assertEquals(List.of(), differences(key, items));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "timers|[{node: hear}]",
                "timers|[{node: wait, purpose: retry}]",
                "timers|[{node: wait, in: 59m}]",
                "timers|[{node: wait, due: '2026-01-01T01:00:01Z'}]",
                "tasks|[{node: wait}]",
                "tasks|[{node: ask, activation: 'ask#2'}]",
                "tasks|[{node: ask, asked: ['user:ann', 'user:bob']}]",
                "tasks|[{node: ask, decisions: 1}]",
                "tasks|[{node: ask, request: {n: 2}}]",
                "tasks|[{node: ask, claimedBy: 'user:ann'}]",
                "awaits|[{node: ask}]",
                "awaits|[{node: hear, activation: 'hear#2'}]",
                "awaits|[{node: hear, name: gone}]",
                "children|[{node: ask}]",
                "children|[{node: call, workflow: other}]",
                "children|[{node: call, status: succeeded}]",
                "children|[{node: call, timers: [{node: nap, in: 1h}]}]",
                "signals|[{type: gone, key: k, waiting: 1}]",
                "signals|[{type: go, key: j, waiting: 1}]",
                "signals|[{type: go, key: k, kept: 1}]",
                "signals|[{type: go, key: k, waiting: 0}]"
            })
    void oneWrongWordIsNoticed(String key, String items) throws IOException {
        assertEquals(List.of("expect." + key), differences(key, items));
    }

    @Test
    void timersAreThoseAndNoOthers() throws IOException {
        assertEquals(List.of("expect.timers"), differences("timers", "[]"));
        assertEquals(List.of("expect.timers"), differences("timers", "[{node: wait}, {node: wait}]"));
    }

    @Test
    void aRunMayTakeAtMostSoLong() throws IOException {
        assertEquals(List.of(), took("within: 2h"));
        assertEquals(List.of("then.within"), took("within: 119m"));
        assertEquals(List.of("then.took"), took("took: 119m"));
    }

    private List<String> took(String expected) throws IOException {
        return run(FILE.replace("KEY: ITEMS", "status: running").replace("took: 2h", expected));
    }
}
