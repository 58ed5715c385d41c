package dev.flowstone.testkit.scenario.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.scenario.source.FileFault;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a file is told with its line, all of it in one go. */
final class ScenarioReaderTest {
    private static final String DEFINITION =
            "definition: {id: a, displayName: A, startNode: x, nodes: [{id: x, actionType: core.echo}]}\n";
    private static final String SCENARIO = DEFINITION + "scenarios:\n- name: n\n";

    @TempDir
    private Path folder;

    private final ScenarioReader reader = new ScenarioReader(new DialectCompilers());

    private ReadFile read(String text) {
        return reader.read(folder.resolve("a.scenario.yaml"), text.getBytes(StandardCharsets.UTF_8));
    }

    private List<FileFault> faults(String text) {
        return assertInstanceOf(ReadFile.Faulty.class, read(text)).faults();
    }

    @Test
    void aFileWithoutAFaultIsReadWhole() {
        ReadFile.Sound sound = assertInstanceOf(ReadFile.Sound.class, read(SCENARIO + """
                  given:
                    input: {a: 1}
                    spec: [2]
                    now: 2030-05-05T00:00:00Z
                    seed: 7
                    handlers:
                      core.echo: [{after: 5s, fail: external_limit, code: C, message: M, details: {d: 1}, retryAfter: 1m}]
                  when: [{advance: 1h}, {advanceTo: 2031-01-01T00:00:00Z}, {restart: kill}, {expect: {status: failed}}]
                  then: {status: failed}
                """));

        Scenario scenario = sound.file().scenarios().getFirst();
        assertEquals(3, scenario.line());
        assertEquals(4, scenario.when().size());
        assertEquals(7, scenario.given().seed());
        assertEquals("2030-05-05T00:00:00Z", scenario.given().now().toString());
        assertTrue(scenario.then().isOfTheEnd());
    }

    @Test
    void everyFaultIsToldInOneGoInTheOrderOfTheText() {
        List<FileFault> faults = faults("""
                definition: nowhere.json
                settngs: {}
                scenarios:
                  - name: a
                    given: {inputt: 1, handlers: {x: {}, y: {output: 1, fail: permanent}}}
                    when:
                      - advance: soon
                      - {advance: 1s, expect: {}}
                    then: {status: succeded, took: -1s}
                  - name: a
                """);

        assertEquals(
                List.of(1, 2, 5, 5, 5, 7, 8, 9, 9, 10, 10),
                faults.stream().map(FileFault::line).toList(),
                faults::toString);
        assertTrue(faults.get(1).message().contains("did you mean 'settings'?"), faults::toString);
        assertTrue(faults.get(2).message().contains("did you mean 'input'?"), faults::toString);
        assertEquals("/scenarios/0/given/handlers/x", faults.get(3).pointer());
        assertTrue(faults.get(7).message().contains("did you mean 'succeeded'?"), faults::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            given: 1                                     | an object is expected here, not 1
            given: {handlers: [a]}                       | an object is expected here, not a list
            given: {handlers: {core.echo: 1}}            | an object is expected here, not 1
            given: {handlers: {core.echo: []}}           | at least one answer
            given: {handlers: {core.echo: {fail: hard}}} | 'hard' is not known here
            given: {handlers: {core.echo: {output: 1, code: X}}} | 'code' belongs to an answer with 'fail'
            given: {handlers: {core.echo: {skip: 1}}}    | a text is expected here, not 1
            given: {handlers: {core.ehco: {output: 1}}}  | did you mean 'core.echo'?
            given: {handlers: {'node:y': {output: 1}}}   | has no node 'y'
            given: {handlers: {core.echo: {output: 1, sets: {a: 1}}}} | only a task in a transaction has 'sets': {transaction: {sets: …}}
            given: {handlers: {core.echo: {stale: {}}}}  | only a task in a transaction has 'stale'
            given: {handlers: {core.echo: [{transaction: {output: 1}}]}} | all answers of a stub are in its transaction
            given: {handlers: {core.echo: {transaction: {output: 1}, after: 1s}}} | there is no key 'after' here; there is transaction
            given: {handlers: {core.echo: {transaction: {hold: true}}}} | nobody outside answers for a task in a transaction; 'after'
            given: {handlers: {core.echo: {transaction: {}}}} | an answer has one of output, fail, skip, throw, stale
            given: {handlers: {core.echo: {transaction: []}}} | at least one answer
            given: {handlers: {core.echo: {transaction: {output: 1, stale: {}}}}} | not output and stale
            given: {handlers: {core.echo: {transaction: {output: 1, set: {a: 1}}}}} | did you mean 'sets'?
            given: {handlers: {core.echo: {transaction: {output: 1, sets: [a]}}}} | an object is expected here, not a list
            given: {handlers: {core.echo: {transaction: {output: 1, sets: {a: 1}, keepsVersion: true}}}} | what is changed has a new version
            given: {handlers: {core.echo: {transaction: {stale: {}, sets: {a: 1}}}}} | an answer with 'stale' changes nothing itself
            given: {handlers: {core.echo: {transaction: {fail: permanent, unknown: done}}}} | 'unknown' belongs to an answer with 'output'
            given: {handlers: {core.echo: {transaction: {output: 1, unknown: maybe}}}} | 'maybe' is not known here; there is done, undone
            given: {handlers: {core.echo: {transaction: {output: 1, unknownFor: 1s}}}} | 'unknownFor' belongs to an answer with 'unknown'
            given: {handlers: {core.echo: {transaction: {output: 1, otherwise: {fail: permanent}}}}} | 'otherwise' belongs to an answer with 'requires'
            given: {handlers: {core.echo: {transaction: {output: 1, requires: {a: 1}, otherwise: {output: 1}}}}} | the key 'fail' is missing here
            given: {handlers: {core.echo: {transaction: {fail: permanent, requires: {a: 1}}}}} | 'requires' belongs to an answer with 'output'
            given: {handlers: {core.echo: {output: 1, links: [{type: t}]}}} | the key 'key' is missing here
            given: {handlers: {core.echo: {fail: permanent, links: []}}} | 'links' belongs to an answer with 'output'
            given: {handlers: {core.echo: {output: 1}, 'node:x': {transaction: {output: 1}}}} | 'core.echo' works in a transaction or it doesn't: the stub in line 4 doesn't say 'transaction'
            given: {subject: {kind: a}}                  | the key 'id' is missing here
            given: {subject: {kind: a, id: ''}}          | 1 to
            given: {subject: {kind: a, id: b, version: -1}} | a whole number, 0 or more
            given: {subject: {kind: a, id: b, value: {}}} | did you mean 'values'?
            given: {now: yesterday}                      | an instant such as
            given: {now: '1969-12-31T00:00:00Z'}         | from 1970
            given: {seed: 1.5}                           | a whole number
            given: {workflows: {}}                       | a list is expected here, not an object
            given: {workflows: [{program: {}}]}          | a scope is either flow or settling
            given: {handlers: {core.echo: {hold: 1}}}    | true or false is expected here
            when: [{signal: {type: a}}]                  | the key 'key' is missing here
            when: [{decide: {task: a, outcom: b}}]       | did you mean 'outcome'?
            when: [{claim: {task: a, override: 1}}]      | true or false is expected here
            when: [{reassign: {task: a, to: ['x:y']}}]   | a party is written user:id or role:name
            when: [{suspend: {timers: stop}}]            | 'stop' is not known here
            when: [{incident: {do: nothing}}]            | 'nothing' is not known here
            when: [{fail: {task: a, class: hard}}]       | 'hard' is not known here
            when: [{edit: {}}]                           | the key 'sets' is missing here
            when: [{edit: {sets: [a]}}]                  | an object is expected here, not a list
            when: [{edit: {sets: {}, version: 2}}]       | there is no key 'version' here; there is sets, seen, tighten, refused
            when: [{edit: {sets: {}, tighten: shut}}]    | 'shut' is not known here; there is editable, amend_only, locked
            when: {advance: 1s}                          | a list is expected here, not an object
            when: [advance]                              | an object is expected here, not 'advance'
            when: [{}]                                   | one key
            when: [{advnce: 1s}]                         | did you mean 'advance'?
            when: [{advance: 1}]                         | a duration such as
            when: [{advance: 4000000d}]                  | ten thousand years
            when: [{advance: PT99999999999999999999H}]   | a duration such as
            when: [{restart: gently}]                    | 'gently' is not known here; there is kill
            when: [{expect: {outputt: 1}}]               | did you mean 'output'?
            then: []                                     | an object is expected here, not a list
            then: {path: a}                              | a list of nodes is expected here, not 'a'
            then: {path: [1]}                            | a text is expected here, not 1
            then: {events: [TaskFailled]}                | did you mean 'TaskFailed'?
            then: {events: [{TaskFailed: 1}]}            | an object is expected here, not 1
            then: {events: [{TaskFailed: {}, TaskCompleted: {}}]} | one kind of event
            then: {calls: {core.echo: -1}}               | a whole number, 0 or more
            then: {calls: 2}                             | an object is expected here, not 2
            then: {timers: [{nod: a}]}                   | did you mean 'node'?
            then: {timers: [{purpose: sleep}]}           | 'sleep' is not known here
            then: {tasks: [{nod: a}]}                    | did you mean 'node'?
            then: {children: [{statuss: failed}]}        | did you mean 'status'?
            then: {signals: [{type: a}]}                 | the key 'key' is missing here
            then: {variables: 1}                         | an object is expected here, not 1
            then: {subject: {versions: 1}}               | did you mean 'version'?
            then: {subject: {changes: [{node: a}]}}      | there is no key 'node' here
            then: {subject: {version: new}}              | a whole number
            then: {within: long}                         | a duration such as
            then: {error: {mesage: a}}                   | did you mean 'message'?
            """)
    void aValueThatCannotBeMeantIsNamed(String line, String message) {
        String then = line.startsWith("then") ? "" : "\n  then: {}";
        List<FileFault> faults = faults(SCENARIO + "  " + line + then + "\n");

        assertEquals(4, faults.getFirst().line());
        assertTrue(
                faults.stream().anyMatch(fault -> fault.message().contains(message)), () -> message + " in " + faults);
    }

    @Test
    void aVersionOfAnotherWorkflowIsNone() {
        List<FileFault> faults = faults("""
                program: {id: one, flow: {a: {task: x}}}
                given: {versions: [{program: {id: two, flow: {a: {task: x}}}}]}
                scenarios: [{name: a, then: {}}]
                """);

        assertEquals(1, faults.size(), faults::toString);
        assertTrue(faults.getFirst().message().contains("'one', not of 'two'"), faults::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "scenarios",
                "[]",
                "a: [",
                "scenarios: []",
                "definition: []\nscenarios: []",
                "definition: {}\nscenarios: 1",
                "definition: ''\nscenarios: []",
                "definition: '\\0'\nscenarios: []",
                "definition: .\nscenarios: []",
                "definition: a.json\ndefinition: b.json",
                "null",
            })
    void aFileThatIsNoScenarioFileIsRefused(String text) {
        assertTrue(faults(text).getFirst().line() >= 1);
    }

    @Test
    void aMissingFileIsAFaultOfItsOwn() {
        ReadFile.Faulty faulty = assertInstanceOf(ReadFile.Faulty.class, reader.read(folder.resolve("none.yaml")));

        assertEquals("there is no such file", faulty.faults().getFirst().message());
    }

    @Test
    void aDefinitionsFaultsAreToldWhereItsTextStands() throws Exception {
        Path definition = Files.writeString(folder.resolve("bad.json"), """
                {"id": "bad", "displayName": "B", "startNode": "x",
                 "nodes": [
                   {"id": "x", "actionType": "acme.unknown", "edges": [{"targetNode": "y"}]}]}
                """);

        List<FileFault> faults = faults("definition: bad.json\nscenarios: [{name: a, then: {}}]\n");

        assertEquals(2, faults.size());
        assertTrue(faults.stream().allMatch(fault -> fault.file().equals(definition) && fault.line() == 3));
        assertTrue(faults.toString().contains("or stub it under given.handlers"), faults::toString);
    }

    @Test
    void anInlineDefinitionsFaultsAreToldInTheScenarioFile() {
        List<FileFault> faults = faults("""
                definition:
                  id: a
                  displayName: A
                  startNode: x
                  nodes:
                    - id: x
                      actionType: core.echo
                      onFailure: nobody
                scenarios: [{name: a, then: {}}]
                """);

        assertEquals(8, faults.getFirst().line(), faults::toString);
        assertEquals("/definition/nodes/0/onFailure", faults.getFirst().pointer());
    }

    @Test
    void aBadAnswerDoesNotMakeItsActionUnknown() {
        List<FileFault> faults = faults("""
                definition: {id: a, displayName: A, startNode: x, nodes: [{id: x, actionType: acme.pay}]}
                given: {handlers: {acme.pay: {}}}
                scenarios: [{name: a, then: {}}]
                """);

        assertEquals(1, faults.size(), faults::toString);
    }

    @Test
    void aSettingThatDoesNotExistIsNamed() {
        List<FileFault> faults = faults(SCENARIO + "  then: {}\nsettings: {dag.workflowTimeut: 1h}\n");

        assertTrue(faults.getFirst().message().contains("no setting 'dag.workflowTimeut'"), faults::toString);
        assertEquals(5, faults.getFirst().line());
    }

    private static String states(String settings) {
        return """
                definition:
                  $schema: https://flowstone.dev/schema/states-1.json
                  id: a
                  name: A
                  start: one
                  states: {one: {timer: {after: PT1H}, next: two}, two: {end: {}}}
                settings: {%s}
                scenarios: [{name: a, then: {}}]
                """.formatted(settings);
    }

    @ParameterizedTest
    @CsvSource({
        "states.maxStates, 1",
        "states.maxSourceBytes, 20",
        "states.maxNesting, 1",
    })
    void theLimitsOfWorkflowsAsStatesAreTheFiles(String name, int tooLittle) {
        assertInstanceOf(ReadFile.Sound.class, read(states("")));
        assertInstanceOf(ReadFile.Sound.class, read(states(name + ": 5000")));
        assertInstanceOf(ReadFile.Faulty.class, read(states(name + ": " + tooLittle)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"states.maxExpressions: 7", "states.maxFaults: 7", "states.maxMarkings: 700"})
    void eachLimitIsASetting(String setting) {
        assertInstanceOf(ReadFile.Sound.class, read(states(setting)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"states.maxStates: 0", "states.maxStates: many", "states.maxStates: 99999999999"})
    void aLimitIsAWholeNumber(String setting) {
        List<FileFault> faults = faults(states(setting));

        assertTrue(faults.getFirst().message().contains("states.maxStates takes a whole number"), faults::toString);
    }
}
