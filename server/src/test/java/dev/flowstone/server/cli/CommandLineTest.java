package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that open no database, and calls that can't be meant. */
final class CommandLineTest {
    private static final Path EXAMPLES = Path.of("..", "examples", "dag");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Commands.class)
    void everyCommandExplainsItself(Commands command) {
        Said said = Cli.here(command.word(), "--help");

        assertEquals(0, said.exit(), said::err);
        assertTrue(said.out().contains("Usage: flowstone " + command.word()), said::out);
        assertTrue(said.out().contains("Example"), said::out);
        assertFalse(said.out().contains("\u001b"), "colours where nobody sees them");
        assertTrue(Cli.here("--help").out().contains("\n  " + command.word()));
    }

    @Test
    void faultsAreSimulatedAndASeedSaysTheSameTwice() {
        Said first = Cli.here("simulate-faults", "--seeds", "5", "--seed", "3", "--json");
        Said second = Cli.here("simulate-faults", "--seeds", "5", "--seed", "3", "--json");

        assertEquals(0, first.exit(), first::toString);
        assertTrue(first.out().contains("\"passed\":true,\"runs\":"), first::out);
        assertTrue(first.out().contains("\"seeds\":5"), first::out);
        assertEquals(first, second);
    }

    @Test
    void someStepsOfASeedArePlayedAlone() {
        Said said = Cli.here("simulate-faults", "--seed", "3", "--steps", "0-9");

        assertEquals(0, said.exit(), said::toString);
        assertTrue(said.out().startsWith("seeds 3 to 3: "), said::out);
    }

    @Test
    void helpListsEverySetting() {
        String help = Cli.here("serve", "--help").out();

        assertTrue(help.contains("dag.maxNodesPerWorkflow"), help);
        assertTrue(help.contains("FLOWSTONE_HTTP_MAX_BODY_BYTES"), help);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "runn",
                "run",
                "run --colour x.json",
                "run missing.json",
                "run a.json b.json",
                "run --resume 17",
                "run --resume 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d x.json",
                "run ../examples/dag/sequence.json --input {",
                "run ../examples/dag/sequence.json --input @missing.json",
                "run ../examples/dag/sequence.json --input @.",
                "run @.",
                "run ../examples/dag/branching.json",
                "run ../examples/dag/sequence.json --data a --db jdbc:postgresql://localhost/x",
                "run ../examples/dag/sequence.json --set http.prot=1",
                "run ../examples/dag/sequence.json --set http.port=many",
                "run ../examples/dag/sequence.json --tenant=",
                "validate",
                "serve --host 0.0.0.0",
                "serve --host nowhere.invalid",
                "serve --host 0.0.0.0 --set http.token=short",
                "serve --set auth.loose=false",
                "serve --set auth.jwt.issuer=https://login.example/",
                "serve --set auth.jwt.algorithms=none",
                "serve --set auth.jwt.algorithms=RS256,HS256",
                "serve --port 70000",
                "serve --config missing.json",
                "validate ../examples/dag/sequence.json --set dag.maxDelay=9999999999999999d",
                "init /nowhere/at/all.json",
                "show 17",
                "verify 17",
                "runs --limit 0",
                "runs --status Done",
                "graph ../examples/dag/sequence.json --format png",
                "bench nothing",
                "torture --minutes 0",
                "torture --faults earthquake",
                "torture --faults failover",
                "torture --rate 0",
                "torture --dir ../examples",
                "simulate-faults --seeds 0",
                "simulate-faults --steps 1",
                "simulate-faults --seed 1 --steps x",
                "bench decide --inflight 5",
                "bench start --open 5",
                "bench sequence --open 0",
                "bench sequence --seconds 0",
                "bench full --finished 0",
                "bench timers --storm 0",
                "init ../examples/dag/sequence.json",
                "check",
                "dist",
                "dist --output x --as-built"
            })
    void aCallThatCannotBeMeantExitsWith2(String call) {
        Said said = Cli.here(call.isEmpty() ? new String[0] : call.split(" "));

        assertEquals(2, said.exit(), said::toString);
        assertEquals("", said.out());
        assertFalse(said.err().isBlank());
        assertFalse(said.err().contains("Exception"), said::err);
    }

    @Test
    void aHostThatLetsEverybodyInIsRefusedWithTheReason() {
        String refused = Cli.here("serve", "--host", "0.0.0.0").err();
        assertTrue(refused.contains("AUTH_NOT_CONFIGURED") && refused.contains("set http.token"), refused);
    }

    @Test
    void whatDecisionsCostIsMeasuredWithoutADatabase() {
        Said said = Cli.here("bench", "decide", "--seconds", "1", "--json");

        assertEquals(0, said.exit(), said::toString);
        assertTrue(said.out().startsWith("{\"bench\":\"decide\",\"growth\":{"), said::out);
    }

    @Test
    void theSchemaForEditorsIsPrintedAsItIsPublished() throws Exception {
        Said said = Cli.here("validate", "--schema");

        assertEquals(0, said.exit(), said::err);
        assertEquals(Files.readString(Path.of("..", "docs", "schema", "states-1.json")), said.out());
        assertEquals(said.out(), Cli.here("validate", "--schema", "states").out());
        assertEquals(
                Files.readString(Path.of("..", "docs", "schema", "dag-1.json")),
                Cli.here("validate", "--schema", "dag").out());
        Said refused = Cli.here("validate", "--schema", "my.json");
        assertEquals(2, refused.exit(), refused::toString);
        assertTrue(refused.err().contains("states, dag"), refused::err);
        assertTrue(Cli.here("validate").err().contains("name a FILE"));
    }

    @Test
    void aMistypedCommandIsGuessed() {
        assertTrue(Cli.here("serv").err().contains("serve"));
    }

    @Test
    void whatInitWritesIsValidAndDraws() throws Exception {
        String file = folder.resolve("new.json").toString();

        assertEquals(0, Cli.here("init", file).exit());
        assertEquals(2, Cli.here("init", file).exit());
        Said valid = Cli.here("validate", file);
        assertEquals(0, valid.exit(), valid::err);
        assertTrue(valid.out().contains("valid, workflow "), valid::out);
        assertTrue(Cli.here("graph", file).out().startsWith("<svg"));
        assertTrue(Cli.here("graph", file, "--format", "mermaid").out().contains("flowchart"));
        String drawing = folder.resolve("drawing.mmd").toString();
        assertEquals(0, Cli.here("graph", file, "--output", drawing).exit());
        assertTrue(Files.readString(Path.of(drawing)).contains("flowchart"));
    }

    @Test
    void everyFaultIsPrintedWithItsPlaceAndARemedy() throws Exception {
        Path file = folder.resolve("bad.json");
        Files.writeString(file, """
                {
                  "id": "bad",
                  "displayName": "Bad",
                  "startNode": "A",
                  "nodes": [
                    {"id": "A", "actionType": "core.echo", "edges": [{"targetNode": "Z"}]},
                    {"id": "B", "actionType": "core.ech"}
                  ]
                }
                """);

        Said said = Cli.here(
                "validate", file.toString(), EXAMPLES.resolve("sequence.json").toString());

        assertEquals(2, said.exit());
        assertTrue(said.err().contains(file + ":6:69: error UNKNOWN_NODE /nodes/0/edges/0/targetNode"), said::err);
        assertTrue(said.err().contains("UNKNOWN_ACTION /nodes/1/actionType"), said::err);
        assertTrue(said.err().contains("    → "), said::err);
        assertTrue(said.out().contains("sequence.json: valid"), said::out);
    }

    @Test
    void oneFileThatCannotBeReadKeepsNoOtherFromBeingLookedAt() {
        Said said = Cli.here(
                "validate", "missing.json", EXAMPLES.resolve("sequence.json").toString());

        assertEquals(2, said.exit());
        assertTrue(said.err().contains("no file missing.json"), said::err);
        assertTrue(said.out().contains("sequence.json: valid"), said::out);
    }

    @Test
    void aCircleOfCallsIsSeenInTheFilesBeside() throws Exception {
        String calling = """
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "%s", "name": "W", "start": "a",
                 "subworkflows": {"k": {"workflow": "%s"}},
                 "states": {"a": {"call": {"subworkflow": "k"}, "next": "b"}, "b": {"end": {}}}}
                """;
        Path one = folder.resolve("one.json");
        Files.writeString(one, calling.formatted("one", "two"));
        Files.writeString(folder.resolve("two.json"), calling.formatted("two", "one"));
        Files.writeString(folder.resolve("broken.json"), "{");
        Files.createDirectory(folder.resolve("folder.json"));

        Said said = Cli.here("validate", one.toString());

        assertEquals(0, said.exit(), said::err);
        assertTrue(said.err().contains("LINT-CHILD-CYCLE"), said::err);
        assertTrue(said.err().contains("one → two → one"), said::err);
        Files.delete(folder.resolve("two.json"));
        assertFalse(Cli.here("validate", one.toString()).err().contains("LINT-CHILD-CYCLE"));
    }

    @Test
    void aPolicyThatIsNotAmongThoseBesideIsMissed() throws Exception {
        Path gate = folder.resolve("gate.json");
        Files.writeString(gate, """
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "gate", "name": "Gate", "start": "a",
                 "policies": {"may": {"bundle": "release"}},
                 "states": {"a": {"policies": ["may"], "transitions": [{"on": "denied", "to": "b"}], "next": "b"},
                            "b": {"end": {}}}}
                """);
        String bundle = "{\"kind\": \"rules\", \"rules\": []}";

        Said alone = Cli.here("validate", gate.toString());
        Files.writeString(folder.resolve("other.json"), bundle);
        Said missing = Cli.here("validate", gate.toString());
        Files.writeString(folder.resolve("release.json"), bundle);
        Said there = Cli.here("validate", gate.toString());

        assertFalse(alone.err().contains("LINT-UNKNOWN-BUNDLE"), "no policy is kept here: " + alone.err());
        assertEquals(0, missing.exit(), "it is a warning");
        assertTrue(missing.err().contains("LINT-UNKNOWN-BUNDLE"), missing::err);
        assertTrue(missing.err().contains("/policies/may/bundle"), missing::err);
        assertFalse(there.err().contains("LINT-UNKNOWN-BUNDLE"), there::err);
    }

    @Test
    void aNumberThatIsNoneIsCalledSo() {
        assertTrue(Cli.here("simulate-faults", "--seed", "abc").err().contains("'abc' is no whole number"));
    }

    @Test
    void aFileWithoutAnEndIsNotReadForEver() {
        Said said = Cli.here("validate", "/dev/zero");

        assertEquals(2, said.exit(), said::toString);
        assertTrue(said.err().contains("longer than 64 MiB"), said::err);
    }

    @Test
    void adviceIsWhatAShellTakes() {
        assertEquals("a/b-c.json", Hints.word("a/b-c.json"));
        assertEquals("'it'\\''s here'", Hints.word("it's here"));
        assertEquals("''", Hints.word(""));
    }

    @Test
    void aFaultOfOursIsALineAndNoStackTrace() {
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), false);

        assertEquals(3, Failures.explain(terminal, new IllegalStateException("first\nsecond")));
        assertTrue(err.toString().startsWith("flowstone: a fault of ours"), err::toString);
        assertTrue(err.toString().contains("first\n  second"), err::toString);
        assertFalse(err.toString().contains("\tat "), err::toString);
    }

    @Test
    void limitsComeFromSettings() {
        String file = EXAMPLES.resolve("sequence.json").toString();

        assertEquals(
                2,
                Cli.here("validate", file, "--set", "dag.maxNodesPerWorkflow=2").exit());
        assertEquals(
                0,
                Cli.here("validate", file, "--set", "dag.maxNodesPerWorkflow=20")
                        .exit());
    }

    @Test
    void readingWhatIsNotThereMakesNothing() {
        Path data = folder.resolve("data");

        Said said = Cli.here("runs", "--data", data.toString());

        assertEquals(3, said.exit());
        assertTrue(said.err().contains("there is no database"), said::err);
        assertFalse(Files.exists(data));
    }

    @Test
    void otherPeoplesTextDoesNotMoveTheCursor() {
        assertEquals("a\uFFFD[31mb\uFFFDc", Printable.text("a\u001b[31mb\u202ec"));
        assertEquals("ab…", Printable.cut("abcdef", 3));
    }
}
