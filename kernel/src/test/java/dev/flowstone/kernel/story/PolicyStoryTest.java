package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.Env;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.event.PolicyDecision;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A gate asks a published policy: which version decided, and why, stands in the event; nothing that goes wrong allows. */
final class PolicyStoryTest {
    static final Fact RELEASE = new Fact.Policy(new PolicyName("release"));
    static final Sha256 HASH = Sha256.digest(new byte[] {1});

    private static Edge asking(Optional<String> when) {
        return new Edge(
                new EdgeId("asks"),
                new NodeId("gate"),
                new NodeId("released"),
                Outcome.SUCCESS,
                when,
                false,
                0,
                Optional.empty(),
                Optional.of(new PolicyName("release")),
                new Origin("/policy"));
    }

    private static Program with(Edge edge, Programs programs) {
        Program plain = programs.build();
        List<Edge> edges = new ArrayList<>(plain.edges());
        edges.add(edge);
        return new Program(
                plain.dialect(),
                plain.compiler(),
                plain.workflow(),
                plain.scopes(),
                plain.nodes(),
                edges,
                plain.output(),
                plain.deadline(),
                plain.metadata());
    }

    static Program gate() {
        return with(
                asking(Optional.empty()),
                Programs.flow()
                        .choice("gate")
                        .end("released")
                        .end("refused", new Outcome("refused"), false)
                        .edge("start", "gate")
                        .otherwise(Outcome.SUCCESS, "gate", "refused"));
    }

    private static JsonValue json(String text) {
        try {
            return JsonParser.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new AssertionError(text, e);
        }
    }

    static JsonValue published(int version, String rules) {
        return JsonObject.builder()
                .put("version", version)
                .put("hash", HASH.toString())
                .put("bundle", json("{'kind':'rules','rules':[" + rules + "]}"))
                .build();
    }

    private static Story story(Program program, JsonValue policy, Bounds bounds) {
        return Story.of(program)
                .with(new Env(new PathExpressions(), Map.of(RELEASE, policy), JsonObject.EMPTY, bounds));
    }

    static Story started(JsonValue policy) {
        return story(gate(), policy, Bounds.DEFAULT).start(input("{'frozen':true}"));
    }

    private static Map<String, Payload> input(String trigger) {
        return Map.of("trigger", Payload.of(json(trigger)));
    }

    private static EvaluatedCondition asked(Story story) {
        return story.all(EventBody.Transitioned.class).stream()
                .flatMap(it -> it.conditions().stream())
                .filter(it -> it.policy().isPresent())
                .findFirst()
                .orElseThrow(() -> new AssertionError(story.tale()));
    }

    private static boolean released(Story story) {
        return story.all(EventBody.ActivationOpened.class).stream()
                .anyMatch(it -> it.activation().node().value().equals("released"));
    }

    private static String code(EvaluatedCondition condition) {
        return condition.error().map(ExpressionError::code).orElse("none");
    }

    @Test
    void needsThePolicyBeforeItDecides() {
        Story story = Story.of(gate());

        Decision decision = story.decide(story.startCommand(input("{}")));

        assertEquals(
                Set.of(RELEASE),
                assertInstanceOf(Decision.Needs.class, decision).facts());
    }

    @Test
    void theFirstRuleThatAppliesDecidesAndTheEventTellsAllAboutIt() {
        Story story = started(published(
                7,
                "{'name':'other','effect':'allow','when':'trigger.other'},"
                        + "{'name':'frozen','effect':'deny','when':'trigger.frozen','reason':'it is frozen'},"
                        + "{'name':'usual','effect':'allow'}"));

        EvaluatedCondition asked = asked(story);

        assertEquals(
                new PolicyDecision(new PolicyName("release"), 7, HASH, false, Optional.of("frozen"), "it is frozen"),
                asked.policy().orElseThrow());
        assertEquals(json("{'trigger.frozen':true}"), asked.read());
        assertEquals(false, asked.result());
        assertEquals(false, released(story));
        assertTrue(released(started(published(8, "{'name':'usual','effect':'allow'}"))));
    }

    @Test
    void replaysWithoutThePolicy() {
        Story story = started(published(7, "{'name':'usual','effect':'allow'}"));

        RunState state = Kernel.initial(story.programs(), story.program(), story.programHash());
        for (Event event : story.events()) {
            state = state.apply(event);
        }

        assertEquals(story.state().toJson(), state.toJson());
    }

    @Test
    void aMissingPolicyAnUnknownKindAndNoRuleNeverAllow() {
        Story missing = started(JsonNull.NULL);
        Story unknown = started(JsonObject.builder()
                .put("version", 1)
                .put("hash", HASH.toString())
                .put("bundle", json("{'kind':'rego'}"))
                .build());
        Story none = started(published(1, ""));

        assertEquals("POLICY_MISSING", code(asked(missing)));
        assertEquals(0, asked(missing).policy().orElseThrow().version());
        assertEquals("POLICY_KIND_UNKNOWN", code(asked(unknown)));
        assertEquals("none", code(asked(none)));
        for (Story story : List.of(missing, unknown, none)) {
            assertEquals(false, released(story));
        }
    }

    @Test
    void anErrorHelpsNobodyThroughAndIsVisible() {
        Story allowing = started(published(1, "{'name':'a','effect':'allow','when':'boom'}"));
        Story denying =
                started(published(1, "{'name':'d','effect':'deny','when':'boom'},{'name':'usual','effect':'allow'}"));

        for (Story story : List.of(allowing, denying)) {
            assertEquals("TYPE", code(asked(story)));
            assertEquals(false, released(story));
        }
    }

    /** A bundle whose default allows. */
    private static Story allowedByDefault(String rules) {
        return started(JsonObject.builder()
                .put("version", 1)
                .put("hash", HASH.toString())
                .put("bundle", json("{'kind':'rules','default':'allow','rules':[" + rules + "]}"))
                .build());
    }

    @Test
    void aDeclaredDefaultAllowsWhereNoRuleAppliesAndNoRuleIsNamed() {
        Story none = allowedByDefault("");
        Story other = allowedByDefault("{'name':'d','effect':'deny','when':'trigger.other'}");

        for (Story story : List.of(none, other)) {
            assertTrue(released(story), story::tale);
            PolicyDecision decision = asked(story).policy().orElseThrow();
            assertTrue(decision.allowed());
            assertEquals(Optional.empty(), decision.rule());
        }
        assertEquals(false, released(allowedByDefault("{'name':'d','effect':'deny','when':'trigger.frozen'}")));
    }

    @Test
    void anErrorTakesARuleThatAllowsAwayButNotTheDeclaredDefault() {
        Story allowing = allowedByDefault("{'name':'a','effect':'allow','when':'boom'}");
        Story denying = allowedByDefault("{'name':'d','effect':'deny','when':'boom'}");

        assertTrue(released(allowing), allowing::tale);
        assertEquals(Optional.empty(), asked(allowing).policy().orElseThrow().rule());
        assertEquals(false, released(denying));
        assertEquals(Optional.of("d"), asked(denying).policy().orElseThrow().rule());
        for (Story story : List.of(allowing, denying)) {
            assertEquals("TYPE", code(asked(story)));
        }
    }

    @Test
    void aSpentBudgetDeniesAndIsVisible() {
        Bounds few = new Bounds(1_000, 1_000, 1 << 20, 1 << 15, 5);
        Story story = story(
                        gate(),
                        published(
                                1,
                                "{'name':'long','effect':'allow','when':'trigger.other.than.this'},"
                                        + "{'name':'frozen','effect':'deny','when':'trigger.x'},"
                                        + "{'name':'usual','effect':'allow'}"),
                        few)
                .start(input("{}"))
                .goOn();

        assertEquals("BUDGET_DECISION", code(asked(story)));
        assertEquals(Optional.of("frozen"), asked(story).policy().orElseThrow().rule());
        assertEquals(false, released(story));
    }

    @Test
    void aDeniedGateWithoutAnotherWayIsAnIncidentThatNamesThePolicy() {
        Program program = with(
                asking(Optional.empty()),
                Programs.flow().choice("gate").end("released").edge("start", "gate"));

        Story story = story(program, published(3, "{'name':'never','effect':'deny'}"), Bounds.DEFAULT)
                .start(input("{}"));

        EventBody.IncidentRaised incident =
                story.all(EventBody.IncidentRaised.class).getFirst();
        assertEquals("NO_EDGE_TAKEN", incident.code());
        assertTrue(
                incident.message().contains("release version 3 (" + HASH + ") denies by rule 'never'"),
                incident::message);
    }

    /** Also where it was a failure that the denied edge would have handled. */
    @Test
    void aParkedFailureNamesThePolicyThatKeptItFromItsEdge() {
        Edge plain = asking(Optional.empty());
        Edge onFailure = new Edge(
                plain.id(),
                plain.from(),
                plain.to(),
                Outcome.FAILURE,
                Optional.empty(),
                false,
                0,
                Optional.empty(),
                plain.policy(),
                plain.origin());
        Program program = with(
                onFailure,
                Programs.flow()
                        .onFailure(Scope.FailurePolicy.PARK)
                        .strictTask("gate")
                        .end("released")
                        .edge("start", "gate"));

        Story story = story(program, published(3, "{'name':'never','effect':'deny'}"), Bounds.DEFAULT)
                .start(input("{}"))
                .failForGood("gate");

        EventBody.IncidentRaised incident =
                story.all(EventBody.IncidentRaised.class).getFirst();
        assertEquals("UNHANDLED_FAILURE", incident.code());
        assertTrue(
                incident.message().contains("release version 3 (" + HASH + ") denies by rule 'never'"),
                incident::message);
        assertEquals(incident.message(), story.state().incidents().getFirst().message());
    }

    @Test
    void anEdgeHasAConditionOrAPolicy() {
        Program program = with(
                asking(Optional.of("true")),
                Programs.flow().choice("gate").end("released").edge("start", "gate"));

        assertTrue(ProgramCheck.faults(program).stream()
                .map(ProgramFault::code)
                .toList()
                .contains(ProgramFault.Code.TWO_CONDITIONS));
    }
}
