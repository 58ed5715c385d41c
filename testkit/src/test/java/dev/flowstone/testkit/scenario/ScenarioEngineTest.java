package dev.flowstone.testkit.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ScenarioEngineTest {
    private static final Map<String, JsonValue> NO_INPUT = Map.of();

    private static ScenarioEngine engine() {
        return new ScenarioEngine(new ScriptExpressions(), BuiltInActions.registry());
    }

    @Test
    void runsASequenceToItsEnd() {
        ScenarioEngine.Ended ended = engine().run(ProgramBuilder.sequence("five", 5, "core.echo"), NO_INPUT);

        assertEquals(RunStatus.SUCCEEDED, ended.status());
        assertEquals(5, ended.history().count(EventBody.TaskCompleted.class));
        assertEquals(Optional.of(JsonObject.builder().put("node", "s5").build()), ended.output());
    }

    @Test
    void aFanOutJoinsOnceAndSkipsWhatWasNotChosen() {
        Program program = ProgramBuilder.dag("choice")
                .task("a", "core.echo")
                .task("b", "core.echo")
                .task("c", "core.echo")
                .task("d", "core.echo")
                .edge("start", "a")
                .when("a", "b", "trigger.value > 10")
                .when("a", "c", "trigger.value <= 10")
                .edge("b", "d")
                .edge("c", "d")
                .build();

        ScenarioEngine.Ended ended = engine().run(
                        program,
                        Map.of("trigger", JsonObject.builder().put("value", 42).build()));

        assertEquals(RunStatus.SUCCEEDED, ended.status());
        assertEquals(
                List.of("a", "b", "d"),
                ended.history().all(EventBody.TaskCompleted.class).stream()
                        .map(done -> done.activation().node().value())
                        .toList());
        assertEquals(1, ended.history().count(EventBody.ActivationSkipped.class));
    }

    @Test
    void theSpecificationsRetryDemoSucceedsOnItsSecondAttempt() {
        Program program = ProgramBuilder.dag("retry-demo")
                .retry(new Retry(3, Duration.ofMillis(200), 2, Duration.ofSeconds(10), true))
                .task(
                        "do-work",
                        "core.sometimes-fails",
                        JsonObject.builder()
                                .put("payload", "{{ trigger.payload }}")
                                .put("timestamp", "{{ trigger.timestamp }}")
                                .build())
                .edge("start", "do-work")
                .build();
        JsonObject trigger = JsonObject.builder()
                .put("payload", "p")
                .put("timestamp", "2026-11-27T00:00:00Z")
                .build();

        ScenarioEngine.Ended ended = engine().run(program, Map.of("trigger", trigger));

        assertEquals(Optional.of(trigger), ended.output());
        assertEquals(1, ended.history().count(EventBody.TaskFailed.class));
        assertEquals(1, ended.history().count(EventBody.TimerFired.class));
        assertTrue(ended.took().toMillis() >= 100 && ended.took().toMillis() <= 200, "half of the delay to all of it");
    }

    @Test
    void threeDaysTakeMilliseconds() {
        Program program = ProgramBuilder.dag("patience")
                .timer("wait", Duration.ofDays(3))
                .task("after", "core.echo")
                .edge("start", "wait")
                .edge("wait", "after")
                .build();

        ScenarioEngine.Ended ended = engine().run(program, NO_INPUT);

        assertEquals(RunStatus.SUCCEEDED, ended.status());
        assertEquals(Duration.ofDays(3), ended.took());
    }

    @Test
    void aFailureFailsTheRunWithItsError() {
        Program program = ProgramBuilder.dag("failing")
                .task(
                        "boom",
                        "core.fail",
                        JsonObject.builder()
                                .put("code", "BOOM")
                                .put("message", "as told")
                                .build())
                .edge("start", "boom")
                .build();

        ScenarioEngine.Ended ended = engine().run(program, NO_INPUT);

        assertEquals(RunStatus.FAILED, ended.status());
        assertEquals(
                "BOOM",
                ended.history()
                        .all(EventBody.RunFailed.class)
                        .getFirst()
                        .error()
                        .code());
    }

    @Test
    void anUnknownHandlerIsAPermanentFailure() {
        Program program = ProgramBuilder.dag("nobody")
                .retry(new Retry(5, Duration.ofSeconds(1), 2, Duration.ofSeconds(10), false))
                .task("t", "no.such.handler", new JsonString("x"))
                .edge("start", "t")
                .build();

        ScenarioEngine.Ended ended = engine().run(program, NO_INPUT);

        assertEquals(1, ended.history().count(EventBody.TaskScheduled.class));
        assertEquals(
                "UNKNOWN_HANDLER",
                ended.history()
                        .all(EventBody.RunFailed.class)
                        .getFirst()
                        .error()
                        .code());
    }

    @Test
    void equalSeedsGiveEqualHistories() {
        Program program = ProgramBuilder.dag("chance")
                .retry(new Retry(4, Duration.ofSeconds(1), 2, Duration.ofSeconds(60), true))
                .task(
                        "t",
                        "core.sometimes-fails",
                        JsonObject.builder().put("failures", 3).build())
                .edge("start", "t")
                .build();

        List<Event> first = engine().run(program, NO_INPUT).history().events();
        List<Event> second = engine().run(program, NO_INPUT).history().events();
        List<Event> other = new ScenarioEngine(new ScriptExpressions(), BuiltInActions.registry(), 99)
                .run(program, NO_INPUT)
                .history()
                .events();

        assertEquals(first.getLast().hash(), second.getLast().hash());
        assertTrue(!first.getLast().hash().equals(other.getLast().hash()));
    }
}
