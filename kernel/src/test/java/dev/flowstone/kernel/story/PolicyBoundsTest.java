package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Env;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.event.PolicyDecision;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** However many policies a gate asks, and however much they say: what decided is recorded, in an event of bounded size. */
final class PolicyBoundsTest {
    private static final int TEXT = 64 << 10;
    private static final String RULE = "r".repeat(60);

    /** Its first edge is a condition of its own, then so many ask the policy; none is taken but the last. */
    private static Program asking(int policies) {
        Program plain = Programs.flow()
                .choice("gate")
                .end("released")
                .end("refused", new Outcome("refused"), false)
                .edge("start", "gate")
                .otherwise(Outcome.SUCCESS, "gate", "refused")
                .build();
        List<Edge> edges = new ArrayList<>(plain.edges());
        edges.add(edge("own", Optional.of("trigger.other"), Optional.empty()));
        for (int i = 0; i < policies; i++) {
            edges.add(edge("asks" + i, Optional.empty(), Optional.of(new PolicyName("release"))));
        }
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

    private static Edge edge(String id, Optional<String> when, Optional<PolicyName> policy) {
        return new Edge(
                new EdgeId(id),
                new NodeId("gate"),
                new NodeId("released"),
                Outcome.SUCCESS,
                when,
                false,
                0,
                Optional.empty(),
                policy,
                new Origin("/policy"));
    }

    private static List<EvaluatedCondition> conditions(int policies, int reason, int eventBytes) {
        String rules = "{'name':'" + RULE + "','effect':'deny','reason':'" + "x".repeat(reason) + "'}";
        Bounds bounds = new Bounds(1_000, 1_000, eventBytes, 1 << 9, 1_000_000);
        return Story.of(asking(policies))
                .with(new Env(
                        new PathExpressions(),
                        Map.of(PolicyStoryTest.RELEASE, PolicyStoryTest.published(3, rules)),
                        JsonObject.EMPTY,
                        bounds))
                .start(Map.of("trigger", Payload.of(JsonObject.EMPTY)))
                .all(EventBody.Transitioned.class)
                .stream()
                .filter(it -> it.activation().node().value().equals("gate"))
                .findFirst()
                .orElseThrow()
                .conditions();
    }

    private static int text(List<EvaluatedCondition> conditions) {
        return conditions.stream()
                .flatMap(it -> it.policy().stream())
                .mapToInt(it -> it.reason().length() + it.rule().orElse("").length())
                .sum();
    }

    @Test
    void keepsEveryDecisionWholeWhereAnEventHoldsIt() {
        List<EvaluatedCondition> conditions = conditions(3, 400, 1 << 20);

        assertEquals(4, conditions.size(), "its own condition too");
        assertEquals(3 * 460, text(conditions));
    }

    @Test
    void keepsWhatPoliciesSaidWhereAnEventHoldsNothingElse() {
        List<EvaluatedCondition> conditions = conditions(3, 400, 2_000);

        assertEquals(3, conditions.size(), "what no policy said is left out");
        for (EvaluatedCondition condition : conditions) {
            PolicyDecision decision = condition.policy().orElseThrow();
            assertEquals(3, decision.version());
            assertEquals(PolicyStoryTest.HASH, decision.hash());
            assertEquals(Optional.of(RULE), decision.rule());
            assertEquals(400, decision.reason().length());
            assertEquals(JsonObject.EMPTY, condition.read());
        }
    }

    @Test
    void cutsWhatManyPoliciesSayToWhatOneMaySay() {
        List<EvaluatedCondition> conditions = conditions(400, 400, 60_000);

        assertEquals(400, conditions.size(), "each of them is named");
        assertTrue(text(conditions) <= TEXT, () -> text(conditions) + " characters");
        PolicyDecision decision = conditions.getFirst().policy().orElseThrow();
        assertTrue(decision.reason().endsWith("…"), decision::reason);
        assertEquals(PolicyStoryTest.HASH, decision.hash());
        assertEquals(3, decision.version());
    }
}
