package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R23: an operator tries again, skips, or fails what an incident stopped. */
final class IncidentStoryTest {
    private static Command retry(Story story, Optional<JsonValue> input) {
        return new ControlCommand.RetryIncident(sequence(story), input.map(Payload::of));
    }

    private static Command skip(Story story, long output) {
        return new ControlCommand.SkipIncident(sequence(story), Payload.of(JsonNumber.of(output)));
    }

    private static Command fail(Story story) {
        return new ControlCommand.FailIncident(sequence(story), TaskError.of("GIVEN_UP", "no use"));
    }

    private static long sequence(Story story) {
        return story.state().incidents().getFirst().sequence();
    }

    private static Story parked() {
        return Story.of(Programs.flow()
                        .onFailure(Scope.FailurePolicy.PARK)
                        .strictTask("a")
                        .end("end")
                        .chain("start", "a", "end"))
                .start()
                .failForGood("a");
    }

    @Test
    void aParkedFailureIsTriedAgainWithAnotherInput() {
        Story story = parked();
        assertEquals("UNHANDLED_FAILURE", story.state().incidents().getFirst().code());
        JsonObject input = JsonObject.builder().put("x", 1).build();
        story.restored().accepted(retry(story, Optional.of(input)));
        assertEquals(Payload.of(input), story.state().openAttempts().getFirst().input());
        assertEquals(2, story.state().openAttempts().getFirst().attempt());
        story.restored().ok("a");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aParkedFailureMayFailAgain() {
        Story story = parked();
        story.accepted(retry(story, Optional.empty())).failForGood("a");
        assertEquals(1, story.state().incidents().size());
        story.accepted(skip(story, 9));
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(JsonNumber.of(9), story.output());
    }

    @Test
    void aParkedFailureThatIsFailedFailsTheRun() {
        Story story = parked();
        story.accepted(fail(story));
        assertEquals(RunStatus.FAILED, story.status());
        assertEquals(
                "GIVEN_UP",
                story.all(EventBody.RunFailed.class).getFirst().error().code());
    }

    private static Programs choosy() {
        return Programs.flow()
                .strictTask("a")
                .strictTask("fix")
                .end("end")
                .edge("start", "a")
                .edge("a", "end", "context.data.a=1")
                .on(Outcome.FAILURE, "a", "fix")
                .edge("fix", "end");
    }

    @Test
    void whereNoEdgeWasTakenAnotherOutputMayFindOne() {
        Story story = Story.of(choosy()).start().ok("a", 0);
        story.rejected(RejectionCode.INVALID_COMMAND, retry(story, Optional.of(JsonObject.EMPTY)));
        story.accepted(retry(story, Optional.empty()));
        assertEquals(1, story.state().incidents().size(), "nothing has changed");
        story.accepted(skip(story, 1));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void whereNoEdgeWasTakenAFailureMayBeHandled() {
        Story story = Story.of(choosy()).start().ok("a", 0);
        story.accepted(fail(story));
        assertEquals(List.of("fix"), story.open());
    }

    private static Story runaway() {
        return Story.of(Programs.flow()
                        .choice("spin")
                        .end("end")
                        .edge("start", "spin")
                        .edge("spin", "spin"))
                .with(new Bounds(1_000, 10, 1 << 20, 1 << 15, 5_000_000))
                .start();
    }

    @Test
    void aRunawayLoopSpinsOnlyAsLongAgain() {
        Story story = runaway();
        assertEquals("RUNAWAY_LOOP", story.state().incidents().getFirst().code());
        story.accepted(retry(story, Optional.empty()));
        assertEquals(1, story.state().incidents().size());
        assertEquals(2, story.all(EventBody.IncidentRaised.class).size());
    }

    @Test
    void aRunawayLoopThatIsSkippedEndsItsToken() {
        Story story = runaway();
        story.accepted(skip(story, 1));
        assertEquals(RunStatus.SUCCEEDED, story.status());
        Story failed = runaway();
        failed.accepted(fail(failed));
        assertEquals(RunStatus.FAILED, failed.status());
    }

    private static Story noWayOut() {
        return Story.of(Programs.flow()
                        .strictTask("next")
                        .end("end")
                        .settlingScope("slot", "in", "out", "next")
                        .tasks("in", "out")
                        .edge("in", "out", "false")
                        .edge("out", "next")
                        .edge("start", "in")
                        .edge("next", "end"))
                .start()
                .ok("in");
    }

    @Test
    void aScopeWithoutAWayOutMayBeLeftByItsContinuation() {
        Story story = noWayOut();
        assertEquals("NO_WAY_OUT", story.state().incidents().getFirst().code());
        story.accepted(retry(story, Optional.empty()));
        story.accepted(skip(story, 1));
        assertEquals(List.of("next"), story.open());
        story.ok("next");
        assertEquals(RunStatus.SUCCEEDED, story.status());
        Story failed = noWayOut();
        failed.accepted(fail(failed));
        assertEquals(RunStatus.FAILED, failed.status());
    }

    @Test
    void anIncidentThatIsNotOpenIsNotFound() {
        Story story = parked();
        story.rejected(RejectionCode.NOT_FOUND, new ControlCommand.RetryIncident(1, Optional.empty()));
        story.rejected(RejectionCode.NOT_FOUND, new ControlCommand.SkipIncident(99, Payload.of(JsonNumber.of(1))));
    }

    @Test
    void aTimerGoesOffWhenAPersonSaysSo() {
        Story story =
                Story.of(Programs.dag().timer("t", "P30D").edge("start", "t")).start();
        story.accepted(new ControlCommand.ForceFireTimer(new TimerId("t#1")));
        assertEquals(List.of("TimerForced", "TimerFired"), story.lastKinds().subList(0, 2));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }
}
