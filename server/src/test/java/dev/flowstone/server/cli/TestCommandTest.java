package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.server.cli.Cli.Said;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code flowstone test}, from its arguments to its exit code. */
final class TestCommandTest {
    private static final String EXAMPLES =
            Path.of("..", "examples", "scenarios").toString();

    private static final String WAIT = """
            definition:
              id: wait
              displayName: Three days
              startNode: wait
              nodes:
                - {id: wait, actionType: core.delay, parameters: {duration: PT72H}, edges: [{targetNode: a}]}
                - {id: a, actionType: core.echo, edges: [{targetNode: b, condition: 'false'}]}
                - {id: b, actionType: core.echo}
            scenarios:
              - name: three days take no time
            """;

    @TempDir
    private Path folder;

    private Path file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void theExamplesPass() {
        Said said = Cli.here("test", EXAMPLES);

        assertEquals(0, said.exit(), said::out);
        assertTrue(said.out().contains("✓ retries twice, waits three days, ships"), said::out);
        assertTrue(said.out().stripTrailing().endsWith(" passed, 0 failed"), said::out);
        assertEquals("", said.err());
    }

    @Test
    void whatIsOtherwiseIsShownWithTheTimelineAndExitsWith1() throws Exception {
        Path file = file("a.scenario.yaml", WAIT + "    then: {path: [wait, b], took: 73h}\n");

        Said said = Cli.here("test", file.toString(), "--set", "dag.workflowTimeout=30d");

        assertEquals(1, said.exit());
        assertTrue(said.out().contains("✗ three days take no time"), said::out);
        assertTrue(said.out().contains("expected PT73H, was PT72H"), said::out);
        assertTrue(said.out().contains("        - b\n"), said::out);
        assertTrue(said.out().contains("a.scenario.yaml:11"), said::out);
        assertTrue(said.out().contains("TimerFired"), said::out);
        assertTrue(said.out().endsWith("0 passed, 1 failed\n"), said::out);
    }

    @Test
    void aFilesOwnSettingsGoBeforeTheCalls() throws Exception {
        Path file = file("a.scenario.yaml", WAIT + "    then: {took: 72h}\nsettings: {dag.workflowTimeout: 30d}\n");

        assertEquals(
                0,
                Cli.here("test", file.toString(), "--set", "dag.workflowTimeout=1h")
                        .exit());
    }

    @Test
    void theLimitsOfWorkflowsAsStatesAreTheCallsOrTheFiles() throws Exception {
        String text = """
                definition:
                  $schema: https://flowstone.dev/schema/states-1.json
                  id: a
                  name: A
                  start: one
                  states: {one: {timer: {after: PT1H}, next: two}, two: {end: {}}}
                scenarios: [{name: a, then: {took: 1h}}]
                """;
        String free = file("free.scenario.yaml", text).toString();
        String own = file("own.scenario.yaml", text + "settings: {states.maxStates: 2}\n")
                .toString();

        assertEquals(0, Cli.here("test", free).exit());
        Said said = Cli.here("test", free, "--set", "states.maxStates=1");
        assertEquals(2, said.exit());
        assertTrue(said.err().contains("/definition"), said::err);
        assertEquals(0, Cli.here("test", own, "--set", "states.maxStates=1").exit(), "what the file says goes before");
    }

    @Test
    void aBadFileExitsWith2AndTheOthersRun() throws Exception {
        file("a.scenario.yaml", WAIT + "    then: {statis: failed}\nsettings: {http.prot: 1}\n");
        file("b.scenario.yaml", WAIT + "    then: {status: failed}\n");

        Said said = Cli.here("test", folder.toString());

        assertEquals(2, said.exit());
        assertTrue(said.out().endsWith("1 passed, 0 failed, 1 file not run\n"), said::out);
        assertTrue(said.err().contains("a.scenario.yaml:11:12: error /scenarios/0/then/statis"), said::err);
        assertTrue(said.err().contains("did you mean 'status'?"), said::err);
        assertTrue(said.err().contains("a.scenario.yaml:12:11: error /settings"), said::err);
    }

    @Test
    void coverageNamesWhatWasNeverReached() throws Exception {
        Path file = file("a.scenario.yaml", WAIT + "    then: {status: failed}\n");

        Said said = Cli.here("test", file.toString(), "--coverage");

        assertTrue(said.out().contains("nodes  1 of 3, 33 %"), said::out);
        assertTrue(said.out().contains("never reached  a->b when false"), said::out);
    }

    @Test
    void theReportIsWrittenForBuildServersAndForPrograms() throws Exception {
        Path file = file("a.scenario.yaml", WAIT + "    then: {}\n");
        Path xml = folder.resolve("new/report.xml");

        Said said = Cli.here("test", file.toString(), "--junit", xml.toString(), "--json", "--coverage");

        assertEquals(1, said.exit());
        assertTrue(Files.readString(xml).contains("<failure message=\"then.status: expected succeeded, was failed"));
        JsonObject json = (JsonObject) JsonParser.parse(said.out().strip().getBytes(StandardCharsets.UTF_8));
        assertEquals(JsonNumber.of(1), json.get("failed"));
        assertTrue(json.find("coverage").isPresent());
    }

    @Test
    void whatAScenarioSaysDoesNotReachTheTerminalRaw() throws Exception {
        Path file = file(
                "a.scenario.yaml",
                WAIT.replace("three days take no time", "\"\\e[31mred\"") + "    then: {path: [\"\\e[2J\"]}\n");

        Said said = Cli.here("test", file.toString());

        assertEquals(1, said.exit());
        assertFalse(said.out().contains("\u001b"), said::out);
    }

    @Test
    void callsThatCannotBeMeantExitWith2() throws Exception {
        Path file = file("a.scenario.yaml", WAIT + "    then: {status: failed}\n");

        assertEquals(2, Cli.here("test").exit());
        assertEquals(2, Cli.here("test", folder.resolve("none.yaml").toString()).exit());
        assertEquals(
                2,
                Cli.here("test", Files.createDirectory(folder.resolve("empty")).toString())
                        .exit());
        assertEquals(
                2,
                Cli.here("test", file.toString(), "--junit", folder.toString()).exit());
        assertEquals(2, Cli.here("test", file.toString(), "--set", "no.such=1").exit());
    }
}
