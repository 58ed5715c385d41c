package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R23: what was parked is tried again, whatever its kind, as long as nothing that was said in it would be taken back. */
final class BeginAgainTest {
    private final Post post = new Post();

    private static ControlCommand.RetryIncident retry(Story story) {
        return new ControlCommand.RetryIncident(
                story.state().incidents().getFirst().sequence(), Optional.empty());
    }

    private static DataCommand.SetVariables set(String name, JsonValue value) {
        return new DataCommand.SetVariables(Map.of(name, value), "mended");
    }

    private static Story asking() {
        return Story.of(
                Asks.flow(Asks.by("ask", new JsonString("{{variables.who}}"))).onFailure(Scope.FailurePolicy.PARK));
    }

    @Test
    void aTaskThatFoundNobodyAsksWhoeverIsNamedNow() {
        Story story = asking().accepted(asking().startCommand(Map.of()));
        assertEquals(List.of(), story.state().humanTasks());
        story.accepted(retry(story));
        assertEquals(1, story.state().incidents().size(), "nobody is named yet");

        story.accepted(set("who", new JsonArray(List.of(new JsonString("ann")))))
                .restored();
        story.accepted(retry(story)).restored();

        assertEquals("[user:ann]", Asks.parties(story).toString());
        story.by("ann").accepted(Asks.decide("ask#1", Asks.APPROVED));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aTaskThatPeopleSawIsNotAskedAgainUnderItsName() {
        Story story = Story.of(
                        Asks.flow(Asks.of("ask", "ann").drift(Drift.FAIL)).onFailure(Scope.FailurePolicy.PARK))
                .start()
                .accepted(Asks.own(1))
                .accepted(Asks.changed(2));

        story.rejected(RejectionCode.INVALID_STATE, retry(story));
    }

    @Test
    void aTimerWhoseTimeCouldNotBeReadWaitsOnceItCan() {
        Story story = Story.of(Programs.dag()
                        .onFailure(Scope.FailurePolicy.PARK)
                        .timer("t", "{{variables.pause}}")
                        .edge("start", "t"))
                .start();
        assertEquals(List.of(), story.state().timers());
        story.accepted(set("pause", new JsonString("PT1H")))
                .accepted(retry(story))
                .restored();

        int generation = story.state().timers().getFirst().generation();
        story.accepted(new Command.FireTimer(new TimerId("t#1"), generation));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void onlyATaskTakesAnotherInput() {
        Story story = Story.of(Programs.dag()
                        .onFailure(Scope.FailurePolicy.PARK)
                        .timer("t", "soon")
                        .edge("start", "t"))
                .start();
        story.rejected(
                RejectionCode.INVALID_COMMAND,
                new ControlCommand.RetryIncident(
                        story.state().incidents().getFirst().sequence(), Optional.of(Payload.of(JsonNull.NULL))));
    }

    private Party parent() {
        post.published(
                Programs.dag().named("child").task("work").edge("start", "work").build());
        Party parent = post.start(Programs.dag()
                .named("parent")
                .onFailure(Scope.FailurePolicy.PARK)
                .call("call", "child", true, Optional.of("PT1H"), ChildPolicies.CASCADE)
                .edge("start", "call"));
        post.deliver();
        return parent;
    }

    private static ControlCommand.RetryIncident retry(Party parent) {
        return new ControlCommand.RetryIncident(
                parent.state().incidents().getFirst().sequence(), Optional.empty());
    }

    @Test
    void aCallStartsAnotherChildForTheOneThatFailed() {
        Party parent = parent();
        Party first = post.party(parent.all(ChildStarted.class).getFirst().child());
        post.answer(first, "work#1", Story.failed(FailureClass.PERMANENT));
        post.deliver();

        post.accepted(parent, retry(parent));
        post.deliver();

        Party second = post.party(parent.all(ChildStarted.class).getLast().child());
        assertNotEquals(first.id(), second.id());
        post.answer(second, "work#1", new TaskAnswer.Ok(Payload.of(JsonObject.EMPTY)));
        post.deliver();
        assertEquals(RunStatus.SUCCEEDED, parent.status());
    }

    /** The first child is being canceled, and says so later; the first timeout's firing may come twice. */
    @Test
    void theChildAndTheTimeoutBeforeMeanNothingForTheNext() {
        Party parent = parent();
        Party first = post.party(parent.all(ChildStarted.class).getFirst().child());
        int before = parent.state().timers().getFirst().generation();
        post.fire(parent, "call#1/timeout");

        post.accepted(parent, retry(parent));
        post.deliver();
        post.answer(first, "work#1", new TaskAnswer.TimedOut());
        post.deliver();

        assertNotEquals(before, parent.state().timers().getFirst().generation());
        assertEquals(RunStatus.CANCELED, first.status());
        assertEquals(RunStatus.RUNNING, parent.status());
        post.ok(post.party(parent.all(ChildStarted.class).getLast().child()), "work");
        post.deliver();
        assertEquals(RunStatus.SUCCEEDED, parent.status());
    }
}
