package dev.flowstone.dialect.states;

import static dev.flowstone.dialect.states.Sources.PURE;
import static dev.flowstone.dialect.states.Sources.states;
import static dev.flowstone.dialect.states.Sources.workflow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What states become. */
final class CompilationTest {
    private static final String END = "'end':{'end':{}}";

    @Test
    void aStateIsAChainOfEnteringWorkAndLeaving() {
        Program program = Sources.program(states(
                "'a':{'onEnter':[" + PURE + "],'tasks':[{'id':'first','action':'core.echo','sideEffects':false}," + PURE
                        + "],'onExit':[" + PURE + "],'next':'end'}",
                END));

        assertEquals(List.of("$start", "a/enter/0", "first", "a", "a/exit/0", "end"), path(program));
    }

    @Test
    void conditionsAreJudgedBeforeWhatIsDoneOnLeavingWhichIsThereOnceForEachWay() {
        Program program = Sources.program(states(
                "'a':{" + "'task':" + PURE + ",'onExit':[" + PURE
                        + "],'transitions':[{'when':'trigger.x','to':'b'}],'next':'end'}",
                "'b':{'next':'end'}",
                END));

        assertEquals(List.of("success a/exit/0 if trigger.x", "success a/exit@success.2/0 else"), out(program, "a"));
        assertEquals(List.of("success b"), out(program, "a/exit/0"));
        assertEquals(List.of("success end"), out(program, "a/exit@success.2/0"));
    }

    /** A graph that is called may read {@code spec.x ?? …}, as if it was started from outside. */
    @Test
    void aChildIsGivenAnEmptySpecBesideItsTrigger() {
        Program program = Sources.program(workflow(
                "'subworkflows':{'c':{'workflow':'child'}},",
                "'a':{'call':{'subworkflow':'c','input':{'n':1}},'transitions':[{'on':'failure','to':'end'},{'on':'canceled','to':'end'}],'next':'end'}",
                END));

        Node.Call call = assertInstanceOf(Node.Call.class, program.node(new NodeId("a")));
        assertEquals(
                Map.of("trigger", JsonObject.builder().put("n", 1).build(), "spec", JsonObject.EMPTY), call.input());
        assertEquals(2, program.compiler());
    }

    @Test
    void aTimeoutIsAClockBesideTheWorkThatArrivesOrIsInterrupted() {
        Program program = Sources.program(states(
                "'a':{'task':" + PURE + ",'timeout':'PT1H','transitions':[{'on':'timeout','to':'late'}],'next':'end'}",
                "'late':{'next':'end'}",
                END));

        assertInstanceOf(Node.Fork.class, program.node(new NodeId("a/timed")));
        assertEquals(List.of("success a/timed/join as success"), out(program, "a"));
        assertEquals(List.of("success late"), out(program, "a/clock"));
        assertEquals(List.of("success end"), out(program, "a/timed/join"));
    }

    @Test
    void aWaitHasATimeoutOfItsOwn() {
        Program program = Sources.program(states(
                "'a':{'wait':{'signal':'s','key':'{{ trigger.k }}'},'timeout':'PT1H','transitions':[{'on':'timeout','to':'end'}],'next':'end'}",
                END));

        Node.Await await = assertInstanceOf(Node.Await.class, program.node(new NodeId("a")));
        assertTrue(await.timeout().isPresent());
        assertEquals(List.of("success end", "timeout end"), out(program, "a"));
    }

    @Test
    void aStateWhoseGuardsAreAllFalseWaitsAndLooksAgain() {
        Program program = Sources.program(states(
                "'a':{'recheck':{'signal':'s','key':'{{ trigger.k }}','every':'P1D'},'transitions':[{'when':'trigger.x','to':'end'}]}",
                END));

        assertEquals(List.of("success end if trigger.x", "success a/recheck else"), out(program, "a"));
        assertEquals(List.of("success a/guards", "timeout a/guards"), out(program, "a/recheck"));
        assertEquals(List.of("success end if trigger.x", "success a/recheck else"), out(program, "a/guards"));
    }

    @Test
    void aPolicyThatDeniesEndsTheRunAsDeniedUnlessATransitionIsForIt() {
        String policies = "'policies':{'p':{'rule':{'equals':[{'value':'trigger.x'},'y']}}},";
        Program without = Sources.program(workflow(policies, "'a':{'policies':['p'],'next':'end'}", END));
        Program with = Sources.program(workflow(
                policies, "'a':{'policies':['p'],'transitions':[{'on':'denied','to':'end'}],'next':'end'}", END));

        assertEquals(
                List.of("success a if ((trigger.x) === \"y\")", "success a/denied else"), out(without, "a/policy"));
        Node.End end = assertInstanceOf(Node.End.class, without.node(new NodeId("a/denied")));
        assertEquals("denied", end.outcome().name());
        assertEquals(List.of("success a if ((trigger.x) === \"y\")", "success end else"), out(with, "a/policy"));
    }

    @Test
    void orderedRulesAreAskedOneByOneAndWhatCannotBeEvaluatedDenies() {
        String policies = "'policies':{'one':{'rule':{'present':'trigger.id'}},'p':{'rules':["
                + "{'effect':'deny','reason':'blocked','when':{'equals':[{'value':'trigger.x'},'y']}},"
                + "{'effect':'allow','reason':'small','when':{'less':[{'value':'trigger.n'},5]}}]}},";
        Program program = Sources.program(workflow(policies, "'a':{'policies':['one','p'],'next':'end'}", END));

        assertEquals(
                List.of("success a/policy/p/0/blocked if (((trigger.id) ?? null) !== null)", "success a/denied else"),
                out(program, "a/policy"));
        assertEquals(
                List.of("success a/policy/p/1/small if !((trigger.x) === \"y\")", "success a/denied else"),
                out(program, "a/policy/p/0/blocked"));
        assertEquals(
                List.of("success a if (trigger.n) < 5", "success a/policy/p/otherwise else"),
                out(program, "a/policy/p/1/small"));
        assertEquals(List.of("success a/denied else"), out(program, "a/policy/p/otherwise"));
    }

    @Test
    void aRuleWithoutAConditionIsTheLastOneAndARuleMayAskForAPolicyOfRules() {
        String policies = "'policies':{'p':{'rules':["
                + "{'effect':'deny','reason':'blocked','when':{'present':'trigger.x'}},"
                + "{'effect':'allow','reason':'usual'}]},'q':{'rule':{'policy':'p'}}},";
        Program program = Sources.program(
                workflow(policies, "'a':{'policies':['p'],'next':'b'},'b':{'policies':['q'],'next':'end'}", END));

        assertEquals(List.of("success a"), out(program, "a/policy/p/1/usual"));
        assertFalse(program.has(new NodeId("a/policy/p/otherwise")));
        assertEquals(
                "success b if (!(((trigger.x) ?? null) !== null) && ((true) || (false)))",
                out(program, "b/policy").getFirst());
    }

    @Test
    void aPublishedPolicyIsAskedByAChoiceOfItsOwnAndProgramsWithoutOneHashAsBefore() {
        String policies = "'policies':{'p':{'bundle':'release'}},";
        Program program = Sources.program(workflow(policies, "'a':{'policies':['p'],'next':'end'}", END));
        Program plain = Sources.program(workflow(
                "'policies':{'p':{'rule':{'present':'trigger.x'}}},", "'a':{'policies':['p'],'next':'end'}", END));

        assertEquals(List.of("success a/policy/p/bundle"), out(program, "a/policy"));
        assertEquals(List.of("success a", "success a/denied else"), out(program, "a/policy/p/bundle"));
        List<Edge> asking =
                program.edges().stream().filter(it -> it.policy().isPresent()).toList();
        assertEquals(
                List.of(new PolicyName("release")),
                asking.stream().map(it -> it.policy().orElseThrow()).toList());
        assertEquals("/policies/p/bundle", asking.getFirst().origin().pointer());
        assertEquals(ProgramCodec.hash(program), ProgramCodec.hash(ProgramCodec.decode(ProgramCodec.encode(program))));
        assertFalse(new String(ProgramCodec.encode(plain), StandardCharsets.UTF_8).contains("\"policy\":\"release\""));
    }

    @Test
    void whatAStateHoldsIsGivenBackOnEachWay() {
        Program program = Sources.program(workflow(
                "'semaphores':{'s':{'permits':1}},",
                "'a':{'semaphore':'s','task':" + PURE + ",'transitions':[{'on':'failure','to':'end'}],'next':'end'}",
                END));

        assertEquals(List.of("$start", "a/acquire", "a", "a/release", "end"), path(program));
        assertEquals(List.of("failure a/release@failure.1", "success a/release"), out(program, "a"));
    }

    @Test
    void barriersAreAJoinAndAForkMore() {
        Program program = Sources.program(states(
                "'a':{'parallel':{'branches':{'x':[{'task':" + PURE + "},{'task':" + PURE + "}],'y':{'task':" + PURE
                        + "}}},'transitions':[{'on':'unsatisfied','to':'end'}],'next':'end'}",
                END));

        assertEquals(List.of("success a/barrier/1 as success"), out(program, "x"));
        assertEquals(List.of("success a/barrier/1 as success"), out(program, "y"));
        assertEquals(List.of("success a/fork/2", "unsatisfied end"), out(program, "a/barrier/1"));
        assertEquals(List.of("success a as success"), out(program, "x-2"));
    }

    @Test
    void anEndInABranchArrivesWithItsOutcome() {
        Program program = Sources.program(states(
                "'a':{'parallel':{'branches':{'x':{'start':'b','states':{'b':{'end':{'outcome':'fine'}}}}}},'transitions':[{'on':'unsatisfied','to':'end'}],'next':'end'}",
                END));

        assertEquals(List.of("success a as fine"), out(program, "b"));
    }

    @Test
    void variablesBeginWithTheirDefaults() {
        Program program = Sources.program(
                workflow("'variables':{'n':{'type':'integer','default':3}},", "'a':{'next':'end'}", END));

        assertEquals(List.of("$start", "$variables", "a", "end"), path(program));
    }

    @Test
    void metadataHasWhatFeaturesRead() throws Exception {
        Program program = ((StatesCompilation.Compiled) Sources.DIALECT.compile(
                        Files.readAllBytes(Sources.ROOT.resolve("examples/states/approval-escalation.json")),
                        StatesOptions.DEFAULT,
                        Sources.ACTIONS))
                .program();

        assertEquals(
                List.of(
                        "displayName",
                        "milestones",
                        "owners",
                        "policies",
                        "residency",
                        "riskTier",
                        "roles",
                        "suspend",
                        "variables",
                        "version"),
                program.metadata().members().keySet().stream().sorted().toList());
        assertEquals("P30D", "P" + program.deadline().orElseThrow().toDays() + "D");
    }

    @Test
    void theOrderOfMembersAndWhiteSpaceNeverChangeAProgram() throws Exception {
        for (Path example : Sources.examples()) {
            byte[] bytes = Files.readAllBytes(example);
            JsonValue value = JsonParser.parse(bytes);
            byte[] tight = CanonicalJson.exact(value);
            byte[] reversed = spread(reversed(value)).getBytes(StandardCharsets.UTF_8);

            assertEquals(hash(bytes), hash(tight), example.toString());
            assertEquals(hash(bytes), hash(reversed), example.toString());
        }
    }

    @Test
    void aProgramIsReadBackAsItWasWritten() throws Exception {
        for (Path example : Sources.examples()) {
            Program program = program(Files.readAllBytes(example));

            assertEquals(
                    ProgramCodec.hash(program), ProgramCodec.hash(ProgramCodec.decode(ProgramCodec.encode(program))));
        }
    }

    private static Program program(byte[] source) {
        return assertInstanceOf(
                        StatesCompilation.Compiled.class,
                        Sources.DIALECT.compile(source, StatesOptions.DEFAULT, Sources.ACTIONS))
                .program();
    }

    private static String hash(byte[] source) {
        return ProgramCodec.hash(program(source)).toString();
    }

    /** In the order of the members, with much white space. */
    private static String spread(JsonValue value) {
        return switch (value) {
            case JsonObject object ->
                object.members().entrySet().stream()
                        .map(it ->
                                CanonicalJson.exactText(new JsonString(it.getKey())) + "\n : " + spread(it.getValue()))
                        .collect(Collectors.joining(" ,\t", "{ ", " }"));
            case JsonArray array ->
                array.items().stream().map(CompilationTest::spread).collect(Collectors.joining("\n,", "[\n", "]"));
            default -> CanonicalJson.exactText(value);
        };
    }

    private static JsonValue reversed(JsonValue value) {
        return switch (value) {
            case JsonObject object -> {
                List<Map.Entry<String, JsonValue>> members =
                        new ArrayList<>(object.members().entrySet());
                Collections.reverse(members);
                Map<String, JsonValue> other = new LinkedHashMap<>();
                members.forEach(member -> other.put(member.getKey(), reversed(member.getValue())));
                yield JsonObject.of(other);
            }
            case JsonArray array ->
                new JsonArray(
                        array.items().stream().map(CompilationTest::reversed).toList());
            default -> value;
        };
    }

    /** From the start along each node's last success edge that leads to something new. */
    private static List<String> path(Program program) {
        List<String> path = new ArrayList<>();
        NodeId at = program.root().entry();
        while (!path.contains(at.value())) {
            path.add(at.value());
            List<Edge> out = program.outgoing(at).stream()
                    .filter(it -> it.on().name().equals("success"))
                    .toList();
            if (out.isEmpty()) {
                break;
            }
            at = out.getLast().to();
        }
        return path;
    }

    private static List<String> out(Program program, String node) {
        return program.outgoing(new NodeId(node)).stream()
                .map(edge -> edge.on() + " " + edge.to()
                        + edge.when().map(it -> " if " + it).orElse("") + (edge.otherwise() ? " else" : "")
                        + edge.as().map(it -> " as " + it).orElse(""))
                .sorted(Comparator.comparing(it -> it.contains(" else")))
                .toList();
    }
}
