package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.MigrationPrograms.race;
import static dev.flowstone.kernel.story.MigrationPrograms.round;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** R26: a run begins at a point of another run, whose state it goes on with. */
final class ResetStoryTest {
    private static Command.StartRun started(Story story) {
        return story.startCommand(Map.of());
    }

    private static Command from(Story story, long sequence, JsonObject state) {
        return new ControlCommand.StartFrom(
                new TenantId("acme"),
                RunId.of(Story.BIRTH.plusSeconds(60), new Slot(9), 77),
                3,
                started(story).run(),
                sequence,
                state);
    }

    @Test
    void aRunBeginsAtAPointOfAnother() {
        Story old = Story.of(Programs.dag()
                        .tasks("a", "b")
                        .timer("t", "PT1H")
                        .chain("start", "a", "b")
                        .edge("start", "t"))
                .start()
                .ok("a", 5);
        JsonObject then = old.state().toJson();
        long sequence = old.state().lastSequence();
        Story story = Story.of(old.program());

        story.accepted(from(old, sequence, then));

        assertEquals(
                List.of("RunReset", "ActivationReleased", "TaskScheduled", "ActivationReleased", "TimerSet"),
                story.lastKinds());
        assertEquals(sequence, story.all(ControlEvent.RunReset.class).getFirst().sequence());
        assertEquals(1, story.state().openAttempts().getFirst().attempt());
        assertTrue(!story.state()
                .openAttempts()
                .getFirst()
                .key()
                .equals(old.state().openAttempts().getFirst().key()));
        story.restored().ok("b").fire("t#1", 1);
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(RunStatus.RUNNING, old.status());
    }

    @Test
    void aRunDoesNotBeginAtJustAnyPoint() {
        Story old = Story.of(Programs.dag().tasks("a", "b").chain("start", "a", "b"))
                .start();
        JsonObject then = old.state().toJson();
        Story story = Story.of(old.program());
        story.rejected(RejectionCode.INVALID_COMMAND, from(old, 2, then));
        story.rejected(RejectionCode.INVALID_COMMAND, from(old, old.state().lastSequence(), JsonObject.EMPTY));
        old.failForGood("a");
        story.rejected(
                RejectionCode.INVALID_COMMAND,
                from(old, old.state().lastSequence(), old.state().toJson()));
        old.rejected(
                RejectionCode.ALREADY_STARTED,
                from(old, old.state().lastSequence(), old.state().toJson()));
        assertTrue(story.decide(new Command.ContinueRun()) instanceof Decision.Rejected);
    }

    /** Every event of a history is a point, one in the middle of a decision too. */
    @Test
    void aRunThatBeginsBehindAForksEndDoesNotEndItAgain() {
        Story old = Story.of(race("slow")).start().ok("fast");
        RunState then = Kernel.initial(old.program(), old.programHash());
        for (Event event : old.events()) {
            then = then.apply(event);
            if (event.body() instanceof EventBody.Transitioned ended
                    && ended.activation().node().value().equals("fork")) {
                break;
            }
        }

        Story story = Story.of(old.program()).accepted(from(old, then.lastSequence(), then.toJson()));

        assertEquals(
                List.of("RunReset", "ActivationOpened", "Transitioned", "ActivationOpened", "TimerSet"),
                story.lastKinds());
    }

    /** Nothing would go on with what a decision was in the midst of; every other point of a running run is one. */
    @Test
    void aRunBeginsAtEachPointOrIsToldWhyNotAndNeverStandsStill() {
        Story old = Story.of(Programs.flow()
                        .fork("fork", "join", "left")
                        .join("join")
                        .node((scope, routing) -> new Node.Assign(
                                new NodeId("set"),
                                scope,
                                Map.of("v", new JsonString("one")),
                                routing,
                                true,
                                new Origin("/set")))
                        .timer("wait", "PT1H")
                        .end("end")
                        .chain("start", "set", "fork")
                        .chain("join", "wait", "end")
                        .branch("left", "fork", "task")
                        .task("task")
                        .edge("task", "join"))
                .start()
                .ok("task");
        RunState then = Kernel.initial(old.program(), old.programHash());
        List<String> refused = new java.util.ArrayList<>();
        for (Event event : old.events()) {
            then = then.apply(event);
            Story story = Story.of(old.program());
            if (story.decide(from(old, then.lastSequence(), then.toJson())) instanceof Decision.Accepted) {
                assertTrue(
                        story.state().hasOpenAttempts()
                                || !story.state().timers().isEmpty(),
                        () -> "it stands still behind " + event.body());
            } else {
                refused.add(
                        event.body() instanceof EventBody.ActivationOpened opened
                                ? opened.activation().toString()
                                : event.body().kind());
            }
        }
        assertEquals(List.of("set#1", "fork#1", "BranchEnded"), refused);
    }

    /** Whoever tried it again there would do so under a key that the other run's attempts had. */
    @Test
    void noRunBeginsBehindAFailureThatIsNotDealtWithYet() {
        Story old = Story.of(round("a")).start().failForGood("a");
        RunState then = Kernel.initial(old.program(), old.programHash());
        for (Event event : old.events()) {
            then = then.apply(event);
            if (event.body() instanceof EventBody.TaskFailed) {
                break;
            }
        }

        Decision.Rejected refused = assertInstanceOf(
                Decision.Rejected.class, Story.of(old.program()).decide(from(old, then.lastSequence(), then.toJson())));

        assertTrue(refused.reason().contains("the failure of a#1"), refused.reason());
    }
}
