package dev.flowstone.dialect.dag;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.dag.definition.Settings;
import dev.flowstone.dialect.dag.option.ContextDefaults;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.ContextRule;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a definition becomes. */
final class CompilationTest {
    @Test
    void makesOneSettlingScopeWithAStart() throws IOException {
        Program program = Dags.program(Dags.example("fan-out-fan-in.json"));

        assertEquals("dag", program.dialect());
        assertEquals(2, program.compiler());
        assertEquals("fanout-fanin", program.workflow().value());
        assertEquals(Scope.Kind.SETTLING, program.root().kind());
        assertEquals(Scope.FailurePolicy.FAIL, program.root().onFailure());
        assertEquals(new NodeId("$start"), program.root().entry());
        assertEquals(Output.TERMINALS, program.output());
        assertEquals(Optional.of(Duration.ofHours(1)), program.deadline());
        assertEquals(
                List.of("$start->A", "A->B", "A->C", "B->D", "C->D"),
                program.edges().stream().map(edge -> edge.id().value()).toList());
        assertEquals(
                new Origin("/startNode"), program.edge(new EdgeId("$start->A")).origin());
    }

    @Test
    void keepsConditionsOutcomesAndTheirPlaces() throws IOException {
        Program program = Dags.program(Dags.example("fan-out-fan-in.json"));

        Edge edge = program.edge(new EdgeId("A->C"));

        assertEquals(Optional.of("false"), edge.when());
        assertEquals(Outcome.SUCCESS, edge.on());
        assertEquals(1, edge.priority());
        assertFalse(edge.otherwise());
        assertEquals(new Origin("/nodes/0/edges/1"), edge.origin());
    }

    @Test
    void givesATaskItsDefaults() throws IOException {
        Program program = Dags.program(Dags.example("fan-out-fan-in.json"));

        Node.Task task = assertInstanceOf(Node.Task.class, program.node(new NodeId("D")));

        assertEquals("core.echo", task.handler().value());
        assertEquals(JsonObject.builder().put("msg", "Join").build(), task.input());
        assertEquals(Duration.ofMinutes(5), task.timeout());
        assertEquals(new Retry(4, Duration.ofSeconds(2), 2.0, Duration.ofMinutes(5), true), task.retry());
        assertEquals(Routing.ALL, task.routing());
        assertFalse(task.rerender());
        assertTrue(task.mayEnd());
        assertEquals(new Origin("/nodes/3"), task.origin());
    }

    /** A definition counts attempts, as the name reads; the option that holds where it says nothing counts retries (§10.1). */
    @Test
    void maxAttemptsCountsAllAttemptsAndNoneIsOne() {
        assertEquals(1, retry("{\"maxAttempts\":0}").attempts());
        assertEquals(1, retry("{\"maxAttempts\":1}").attempts());
        assertEquals(3, retry("{\"maxAttempts\":3}").attempts());
        assertEquals(101, retry("{\"maxAttempts\":101}").attempts(), "dag.maxRetries are one less");
        assertEquals(4, retry("{}").attempts());
    }

    /** What an older compiler made keeps its bytes, its hash and its attempts. */
    @Test
    void aProgramOfTheFirstCompilerStaysAsItWas() throws IOException {
        byte[] stored = Dags.resource("program-of-compiler-1.json");

        Program program = ProgramCodec.decode(stored);

        assertEquals(1, program.compiler());
        assertEquals(4, task(program).retry().attempts(), "it asked for 3, which were retries");
        assertEquals(new String(stored, UTF_8), new String(ProgramCodec.encode(program), UTF_8));
        assertEquals(
                "b304536556f95b8e41e87125bb0fbd13e89d90c424e100b5726a7d876ec529e0",
                ProgramCodec.hash(program).toString());
    }

    @Test
    void whoPublishesAnOldVersionAgainIsToldWhatItKeeps() throws IOException {
        Program stored = ProgramCodec.decode(Dags.resource("program-of-compiler-1.json"));
        String node = "{\"id\":\"a\",\"actionType\":\"core.echo\",\"policies\":{\"retry\":{\"maxAttempts\":N}}}";
        String written = Dags.workflow(node.replace("N", "3"));
        Program same = Dags.program(written);

        Fault warning = older(stored, same, written).getFirst();

        assertFalse(warning.isError());
        assertTrue(warning.message().contains("node 'a' is tried 4 times, not 3"), warning::toString);
        assertEquals("/nodes/0/policies/retry/maxAttempts", warning.pointer());
        String four = Dags.workflow(node.replace("N", "4"));
        assertEquals(List.of(), older(stored, Dags.program(four), four), "it comes to the same");
        assertEquals(List.of(), older(same, same, written));
    }

    @Test
    void eachNodeThatWouldBeTriedOtherwiseIsToldWithItsPlace() throws IOException {
        Program stored = ProgramCodec.decode(Dags.resource("program-of-compiler-1.json"));
        String node =
                "\n{\"id\":\"ID\",\"actionType\":\"core.echo\",\"policies\":{\"retry\":{\n\"maxAttempts\":3}}EDGES}";
        String both = Dags.workflow(
                node.replace("ID", "a").replace("EDGES", ",\"edges\":[{\"targetNode\":\"b\"}]"),
                node.replace("ID", "b").replace("EDGES", ""));

        assertEquals(
                List.of(
                        "3 OLDER_COMPILER /nodes/0/policies/retry/maxAttempts",
                        "5 OLDER_COMPILER /nodes/1/policies/retry/maxAttempts"),
                Dags.brief(older(stored, Dags.program(both), both)));
    }

    /** What a definition leaves open is the option's, which may have changed since. */
    @Test
    void whoWroteNoAttemptsIsNotWarnedOfAnotherOption() throws IOException {
        Program stored = ProgramCodec.decode(Dags.resource("program-of-compiler-1.json"));
        String open = Dags.workflow("{\"id\":\"a\",\"actionType\":\"core.echo\"}");
        DagOptions fewer = DagOptions.DEFAULT.withDefaults(defaults -> new DagOptions.Defaults(
                defaults.actionTimeout(),
                defaults.workflowTimeout(),
                1,
                defaults.initialDelay(),
                defaults.backoffFactor(),
                defaults.jitter(),
                defaults.maxRetryDelay(),
                defaults.childTimeout(),
                defaults.context()));

        assertEquals(List.of(), older(stored, Dags.program(open, fewer), open));
    }

    private static List<Fault> older(Program stored, Program now, String source) {
        return OlderCompiler.warnings(stored, now, source.getBytes(UTF_8));
    }

    @Test
    void takesWhatTheDefinitionSaysAndTheRestFromTheOptions() {
        assertEquals(
                new Retry(4, Duration.ofMillis(200), 2.0, Duration.ofMinutes(5), true), retry("{\"baseDelayMs\":200}"));
        assertEquals(
                new Retry(2, Duration.ofHours(1), 1.5, Duration.ofHours(1), false),
                retry("{\"maxAttempts\":2,\"baseDelayMs\":3600000,\"backoffFactor\":1.5,\"jitter\":false}"),
                "no cap below the first delay");
        DagOptions options = DagOptions.DEFAULT.withDefaults(
                it -> it.withActionTimeout(Duration.ofSeconds(9)).withWorkflowTimeout(Duration.ofDays(2)));
        Program program = Dags.program(Dags.workflow(Dags.node("a")), options);
        assertEquals(Optional.of(Duration.ofDays(2)), program.deadline());
        assertEquals(Duration.ofSeconds(9), task(program).timeout());
    }

    @Test
    void takesTimeoutAndRerenderFromThePolicies() {
        Node.Task task = task(
                Dags.program(
                        Dags.workflow(
                                "{\"id\":\"a\",\"actionType\":\"core.echo\",\"policies\":{\"timeoutMs\":1e3,\"rerenderOnRetry\":true}}")));

        assertEquals(Duration.ofSeconds(1), task.timeout());
        assertTrue(task.rerender());
    }

    @Test
    void makesADelayATimer() throws IOException {
        Program program = Dags.program(Dags.example("delay.json"));

        assertEquals(
                new Due.After(JsonNumber.of(1000)),
                assertInstanceOf(Node.Timer.class, program.node(new NodeId("wait")))
                        .due());
        assertEquals(
                new Due.After(new JsonString("PT2.5S")),
                assertInstanceOf(Node.Timer.class, program.node(new NodeId("wait-longer")))
                        .due());
    }

    @Test
    void makesOnFailureTheFailureEdgeThatIsTakenWhenNoOtherIs() {
        String node =
                "{\"id\":\"a\",\"actionType\":\"core.echo\",\"onFailure\":\"b\",\"edges\":[{\"targetNode\":\"b\"},"
                        + "{\"targetNode\":\"b\",\"when\":\"failure\",\"condition\":\"trigger.x\"},{\"targetNode\":\"b\",\"when\":\"always\"}]}";
        Program program = Dags.program(Dags.workflow(node, Dags.node("b")));

        List<Edge> edges = program.outgoing(new NodeId("a"));

        assertEquals(
                List.of("a->b", "a->b~2", "a->b~3", "a->b~4"),
                edges.stream().map(it -> it.id().value()).toList());
        assertEquals(
                List.of(Outcome.SUCCESS, Outcome.FAILURE, Outcome.ALWAYS, Outcome.FAILURE),
                edges.stream().map(Edge::on).toList());
        assertEquals(
                List.of(false, false, false, true),
                edges.stream().map(Edge::otherwise).toList());
        assertEquals(new Origin("/nodes/0/onFailure"), edges.getLast().origin());
    }

    @Test
    void triesTheEdgesOfFirstMatchInTheirOrder() throws IOException {
        Program program = Dags.program(Dags.example("first-match.json"));

        assertEquals(Routing.FIRST, program.node(new NodeId("grade")).routing());
        assertEquals(
                List.of("gold", "silver", "bronze"),
                program.outgoing(new NodeId("grade")).stream()
                        .map(edge -> edge.to().value())
                        .toList());
    }

    @Test
    void namesEdgesApartWhateverTheirNodesAreCalled() {
        Program program = Dags.program(Dags.workflow(
                        Dags.node("a", "b->c", "b", "b->c", "b->c~2"),
                        Dags.node("b->c"),
                        Dags.node("b->c~2"),
                        Dags.node("b", "c"),
                        Dags.node("a->b", "c"),
                        Dags.node("c"))
                .replace("\"id\":\"a\"", "\"onFailure\":\"a->b\",\"id\":\"a\""));

        assertEquals(8, program.edges().size());
        assertEquals(8, program.edges().stream().map(Edge::id).distinct().count());
    }

    @Test
    void namesAnEdgeBetweenLongNamesByItsPlace() {
        String far = "x".repeat(100);
        Program program = Dags.program(Dags.workflow(Dags.node("a", far), Dags.node(far, far + "y"))
                .replace(far + "y", "y")
                .replace(
                        "]}]}",
                        "]},{\"id\":\"y\",\"actionType\":\"core.echo\",\"onFailure\":\"" + "z".repeat(100) + "\"},"
                                + "{\"id\":\"" + "z".repeat(100) + "\",\"actionType\":\"core.echo\",\"onFailure\":\""
                                + "w".repeat(100)
                                + "\"}," + Dags.node("w".repeat(100)) + "]}"));

        assertTrue(
                program.edges().stream().anyMatch(it -> it.id().value().equals("edge at /nodes/3/onFailure")),
                program.edges()::toString);
    }

    @Test
    void keepsNumbersExactly() {
        Program program = Dags.program(Dags.workflow("{\"id\":\"a\",\"actionType\":\"core.echo\",\"parameters\":"
                + "{\"n\":7615917337495251231,\"d\":0.1000000000000000055}}"));

        JsonObject input = (JsonObject) task(program).input();

        assertEquals(JsonNumber.of(7_615_917_337_495_251_231L), input.get("n"));
        assertEquals(JsonNumber.of(new BigDecimal("0.1000000000000000055")), input.get("d"));
    }

    @Test
    void keepsNamesAndSchemaAsMetadata() throws IOException {
        JsonObject metadata = Dags.program(Dags.example("branching.json")).metadata();

        assertEquals(new JsonString("Branches by amount"), metadata.get("displayName"));
        assertTrue(metadata.get("triggerSchema") instanceof JsonObject);
        assertEquals(
                List.of("displayName", "description", "triggerSchema"),
                List.copyOf(metadata.members().keySet()));
    }

    @Test
    void keepsSettingsAsMetadataUnderTheirOwnNames() {
        Settings settings = new Settings(
                Optional.of(Duration.ofMinutes(1)),
                Optional.of(4),
                new Settings.Context(
                        Optional.of("KeysOnly"), List.of("a"), Optional.of(1_000), Optional.of("DropOversize")));

        assertEquals(
                "{\"context\":{\"keys\":[\"a\"],\"maxBytes\":1000,\"overflow\":\"DropOversize\",\"snapshot\":\"KeysOnly\"},"
                        + "\"maxParallelActions\":4}",
                CanonicalJson.exactText(settings.metadata(ContextDefaults.DEFAULT)));
    }

    private static Program program(String settings, ContextDefaults defaults) {
        return Dags.program(
                Dags.workflow(Dags.node("a")).replaceFirst("\\{", "{\"settings\":" + settings + ","),
                DagOptions.DEFAULT.withDefaults(it -> it.withContext(defaults)));
    }

    @Test
    void aDefinitionsRuleOfItsContextWinsOverTheOneForAll() {
        ContextDefaults defaults =
                new ContextDefaults(ContextDefaults.KEYS_ONLY, List.of("x"), ContextDefaults.DROP_OVERSIZE);

        Program silent = program("{}", defaults);
        assertEquals(new ContextRule(ContextRule.Overflow.DROP_OVERSIZE, Optional.empty()), silent.context());
        assertEquals(
                "{\"context\":{\"keys\":[\"x\"],\"overflow\":\"DropOversize\",\"snapshot\":\"KeysOnly\"}}",
                CanonicalJson.exactText(silent.metadata().find("settings").orElseThrow()));
        Program own = program("{\"context\":{\"snapshot\":\"Full\",\"overflow\":\"Fail\",\"maxBytes\":99}}", defaults);
        assertEquals(new ContextRule(ContextRule.Overflow.FAIL, Optional.of(99)), own.context());
        assertEquals(
                "{\"context\":{\"maxBytes\":99,\"overflow\":\"Fail\",\"snapshot\":\"Full\"}}",
                CanonicalJson.exactText(own.metadata().find("settings").orElseThrow()));
    }

    /** Programs of the release before keep their bytes, and those that say nothing are what they were. */
    @Test
    void aDefinitionWithoutSettingsHasTheProgramThatItHadBefore() {
        String before = new String(ProgramCodec.encode(Dags.program(Dags.workflow(Dags.node("a")))), UTF_8);

        assertTrue(before.contains("\"format\":1,"), before);
        assertFalse(before.contains("\"context\""), before);
        String now = new String(
                ProgramCodec.encode(
                        program("{\"context\":{\"overflow\":\"AutoPruneOldest\"}}", ContextDefaults.DEFAULT)),
                UTF_8);
        assertTrue(now.contains("\"format\":3,"), "a release that doesn't know the rule must not read it");
        assertTrue(now.contains("\"context\":{\"overflow\":\"AUTO_PRUNE_OLDEST\"}"), now);
    }

    private static Retry retry(String retry) {
        return task(Dags.program(Dags.workflow(
                        "{\"id\":\"a\",\"actionType\":\"core.echo\",\"policies\":{\"retry\":" + retry + "}}")))
                .retry();
    }

    private static Node.Task task(Program program) {
        return assertInstanceOf(Node.Task.class, program.node(new NodeId("a")));
    }
}
