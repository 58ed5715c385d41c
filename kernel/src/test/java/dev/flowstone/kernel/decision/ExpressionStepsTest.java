package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.EventBody.ContinueScheduled;
import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.event.EventBody.IncidentRaised;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.event.EventBody.Transitioned;
import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R3: steps and bytes are counted per decision. A condition and a template of the fake take 100 of each. */
final class ExpressionStepsTest {
    private static final class Hundred implements Expressions {
        int conditions;

        @Override
        public Optional<ExpressionError> checkCondition(String source) {
            return Optional.empty();
        }

        @Override
        public Evaluation condition(String source, Roots roots) {
            conditions++;
            if (source.startsWith("fact")) {
                Sha256 hash = Sha256.digest(source.getBytes(StandardCharsets.UTF_8));
                throw new MissingFactException(new Fact.StoredValue(hash)).after(100, 100);
            }
            return new Evaluation(source.equals("true"), Optional.empty(), JsonObject.EMPTY, 100, 100);
        }

        @Override
        public Rendering render(JsonValue template, Roots roots) {
            return new Rendering.Rendered(template, 100, 100);
        }
    }

    private final Hundred hundred = new Hundred();

    private Env env(int steps) {
        return new Env(hundred, Map.of(), JsonObject.EMPTY, new Bounds(1_000, 1_000, 1 << 20, 1 << 15, steps));
    }

    private Env bytes(int bytes) {
        return new Env(hundred, Map.of(), JsonObject.EMPTY, Bounds.DEFAULT.withExpressionBytes(bytes));
    }

    private static Programs choice(Routing routing, int conditions, String condition) {
        Programs out = Programs.dag()
                .task("a", Retry.NONE, JsonObject.EMPTY, true, routing)
                .edge("start", "a");
        for (int i = 0; i < conditions; i++) {
            out.task("b" + i).edge("a", "b" + i, condition.replace("#", "" + i));
        }
        return out;
    }

    private static List<Optional<String>> errors(Story story) {
        return story.all(Transitioned.class).getLast().conditions().stream()
                .map(EvaluatedCondition::error)
                .map(error -> error.map(ExpressionError::code))
                .toList();
    }

    /** The condition that reaches the bound is evaluated still. */
    @ParameterizedTest
    @CsvSource({"1, 1", "100, 1", "101, 2", "299, 3", "300, 3", "301, 4", "400, 4", "401, 5", "5000000, 5"})
    void oneNodesConditionsMayUseUpTheBound(int bound, int evaluated) {
        Story story = Story.of(choice(Routing.ALL, 5, "true"))
                .with(env(bound))
                .start()
                .goOn();
        story.ok("a");
        List<Optional<String>> errors = errors(story);
        story.goOn();

        assertEquals(evaluated, hundred.conditions);
        assertEquals(5, errors.size());
        for (int i = 0; i < 5; i++) {
            assertEquals(i < evaluated ? Optional.empty() : Optional.of("BUDGET_DECISION"), errors.get(i));
        }
        assertEquals(evaluated, story.open().size());
    }

    @Test
    void theElseEdgeIsTakenWhenNoConditionWasLeftToHold() {
        Story story = Story.of(choice(Routing.FIRST, 5, "false").task("else").otherwise(Outcome.SUCCESS, "a", "else"))
                .with(env(200))
                .start()
                .goOn()
                .ok("a")
                .goOn();

        assertEquals(List.of("else"), story.open());
    }

    /** A node's conditions are counted from its own first: what else is in the decision changes no outcome. */
    @ParameterizedTest
    @ValueSource(ints = {300, 400, 500, 600, 700, 800, 5_000_000})
    void neighboursInTheDecisionTakeNothingAway(int bound) {
        Programs program = Programs.dag();
        for (String timer : List.of("x", "y", "z")) {
            program.timer(timer, "PT0S").edge("start", timer);
            for (int i = 0; i < 3; i++) {
                program.task(timer + i).edge(timer, timer + i, "true");
            }
        }
        Story story = Story.of(program).with(env(bound)).start().goOn();

        assertEquals(9, story.open().size());
        assertEquals(9, hundred.conditions);
    }

    /** Templates end the decision, never the task: 25 of them, ten to a decision. */
    @Test
    void templatesOnlyMakeTheDecisionContinue() {
        Programs program = Programs.dag();
        for (int i = 0; i < 25; i++) {
            program.task("t" + i).edge("start", "t" + i);
        }
        Story story = Story.of(program).with(env(1_000)).start();
        assertTrue(story.state().continues());
        assertEquals(10, story.open().size());
        story.goOn();

        assertEquals(25, story.open().size());
        assertEquals(2, story.all(ContinueScheduled.class).size());
        assertEquals(List.of(), story.all(TaskFailed.class));
        assertEquals(List.of(), story.all(IncidentRaised.class));
        assertEquals(RunStatus.RUNNING, story.status());
    }

    /** Conditions that ask for facts count too: no more of them are tried than would be evaluated. */
    @Test
    void askingForFactsIsBounded() {
        Story story = Story.of(choice(Routing.ALL, 50, "fact#"))
                .with(env(300))
                .start()
                .goOn();
        Decision decision = story.decide(new Command.CompleteTask(
                ActivationId.parse("a#1"), 1, new TaskAnswer.Ok(Payload.of(JsonObject.EMPTY))));

        assertEquals(3, assertInstanceOf(Decision.Needs.class, decision).facts().size());
        assertEquals(3, hundred.conditions);
    }

    @ParameterizedTest
    @CsvSource({"100, 1", "101, 2", "299, 3", "400, 4", "401, 5"})
    void oneNodesConditionsMayProduceUpToTheBound(int bound, int evaluated) {
        Story story = Story.of(choice(Routing.ALL, 5, "true"))
                .with(bytes(bound))
                .start()
                .goOn();
        story.ok("a");
        List<Optional<String>> errors = errors(story);
        story.goOn();

        assertEquals(evaluated, hundred.conditions);
        for (int i = 0; i < 5; i++) {
            assertEquals(i < evaluated ? Optional.empty() : Optional.of("BUDGET_DECISION"), errors.get(i));
        }
    }

    @Test
    void whatTemplatesProduceOnlyMakesTheDecisionContinue() {
        Programs program = Programs.dag();
        for (int i = 0; i < 25; i++) {
            program.task("t" + i).edge("start", "t" + i);
        }
        Story story = Story.of(program).with(bytes(1_000)).start();
        assertTrue(story.state().continues());
        assertEquals(10, story.open().size());
        story.goOn();

        assertEquals(25, story.open().size());
        assertEquals(2, story.all(ContinueScheduled.class).size());
        assertEquals(List.of(), story.all(TaskFailed.class));
    }

    @Test
    void producingBeforeAFactIsMissingCountsToo() {
        Story story = Story.of(choice(Routing.ALL, 50, "fact#"))
                .with(bytes(300))
                .start()
                .goOn();
        story.decide(new Command.CompleteTask(
                ActivationId.parse("a#1"), 1, new TaskAnswer.Ok(Payload.of(JsonObject.EMPTY))));

        assertEquals(3, hundred.conditions);
    }
}
