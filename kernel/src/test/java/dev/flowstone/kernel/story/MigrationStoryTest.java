package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.MigrationPrograms.race;
import static dev.flowstone.kernel.story.MigrationPrograms.round;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.decision.Migration;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.state.UnknownProgramException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** R26: runs move to another program. */
final class MigrationStoryTest {
    private static final Program LONGER = Programs.flow()
            .undoable("a")
            .timer("pause", "PT1H")
            .strictTask("b")
            .strictTask("extra")
            .end("end")
            .chain("start", "a", "pause", "b", "extra", "end")
            .build();

    private static Story short_() {
        return Story.of(Programs.flow()
                        .undoable("a")
                        .timer("wait", "PT1H")
                        .strictTask("b")
                        .end("end")
                        .chain("start", "a", "wait", "b", "end"))
                .start();
    }

    private static Command migrate(Story story, Program to, Map<String, String> names) {
        Map<NodeId, NodeId> nodes = new java.util.HashMap<>();
        names.forEach((old, now) -> nodes.put(new NodeId(old), new NodeId(now)));
        return new ControlCommand.MigrateRun(story.knowing(to), 4, nodes);
    }

    private static List<String> obstacles(Story story, Program to) {
        return Migration.preview(story.state(), to, Map.of()).obstacles();
    }

    @Test
    void aWaitingRunGoesOnByTheOtherProgram() {
        Story story = short_().ok("a");
        Command move = migrate(story, LONGER, Map.of("wait", "pause"));
        Migration.Preview preview =
                Migration.preview(story.state(), LONGER, Map.of(new NodeId("wait"), new NodeId("pause")));
        assertTrue(preview.isPossible(), preview.toString());
        assertEquals("{wait#1=pause#1}", preview.moves().toString());

        story.accepted(move);

        assertEquals(List.of("TimerCanceled", "Migrated", "TimerSet"), story.lastKinds());
        assertEquals(4, story.state().version());
        story.ignored(move);
        story.restored().fire("pause#1", 1).ok("b");
        assertEquals(List.of("extra"), story.open());
        story.ok("extra");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** What was done before the move is undone by the new program. */
    @Test
    void aMigratedRunCanStillBeUndone() {
        Story story = short_().ok("a");
        story.accepted(migrate(story, LONGER, Map.of("wait", "pause"))).accepted(CompensationStoryTest.CANCEL);
        story.ok("a#-1");
        assertEquals(RunStatus.CANCELED, story.status());
    }

    /** How a result is read is settled by the node that has it: one that was kept for another kind would be read wrongly. */
    @Test
    void aResultThatWouldBeReadOtherwiseIsAnObstacle() {
        Program calls = Programs.flow()
                .wrapped("a", "child", true)
                .timer("wait", "PT1H")
                .strictTask("b")
                .end("end")
                .chain("start", "a", "wait", "b", "end")
                .build();
        String obstacle = "what a has answered would be read as another kind of result of a";

        assertTrue(obstacles(plain().ok("a"), calls).contains(obstacle));
        assertEquals(List.of(), obstacles(plain().ok("a"), plainProgram().build()));
        Post post = new Post();
        post.published(
                Programs.dag().named("child").task("work").edge("start", "work").build());
        Party parent = post.start(Programs.flow()
                .named("parent")
                .wrapped("a", "child", true)
                .timer("wait", "PT1H")
                .strictTask("b")
                .end("end")
                .chain("start", "a", "wait", "b", "end"));
        post.deliver();
        post.ok(post.party(parent.all(ChildStarted.class).getLast().child()), "work");
        post.deliver();
        Program task = plainProgram().named("parent").build();
        assertEquals(
                List.of(obstacle),
                Migration.preview(parent.state(), task, Map.of()).obstacles());
    }

    private static Programs plainProgram() {
        return Programs.flow()
                .strictTask("a")
                .timer("wait", "PT1H")
                .strictTask("b")
                .end("end")
                .chain("start", "a", "wait", "b", "end");
    }

    private static Story plain() {
        return Story.of(plainProgram()).start();
    }

    /** Replay needs the events and the program store, and neither snapshot nor luck. */
    @Test
    void replaysFromItsEventsAndTheProgramsTheyName() {
        Story story = short_().ok("a");
        story.accepted(migrate(story, LONGER, Map.of("wait", "pause")));
        for (Program any : List.of(story.program(), LONGER)) {
            assertReplays(story, any);
        }
        RunState blind = Kernel.initial(story.program(), story.programHash());
        for (Event event : story.events().subList(0, story.events().size() - 2)) {
            blind = blind.apply(event);
        }
        RunState before = blind;
        Event migrated = story.events().get(story.events().size() - 2);
        assertThrows(UnknownProgramException.class, () -> before.apply(migrated));
    }

    private static void assertReplays(Story story, Program any) {
        RunState state = Kernel.initial(story.programs(), any, ProgramCodec.hash(any));
        for (Event event : story.events()) {
            state = state.apply(event);
        }
        assertEquals(story.state().toJson(), state.toJson());
    }

    @Test
    void saysWhyARunCanNotMove() {
        Story waiting = short_().ok("a");
        assertEquals(List.of("wait#1 lives, and the new program has no such node"), obstacles(waiting, LONGER));
        waiting.rejected(RejectionCode.INVALID_STATE, migrate(waiting, LONGER, Map.of()));
        waiting.rejected(RejectionCode.INVALID_STATE, migrate(waiting, LONGER, Map.of("wait", "b")));
        waiting.rejected(RejectionCode.INVALID_STATE, migrate(waiting, LONGER, Map.of("nobody", "b")));
        waiting.rejected(RejectionCode.NOT_FOUND, new ControlCommand.MigrateRun(Sha256.ZERO, 4, Map.of()));
        waiting.rejected(
                RejectionCode.INVALID_COMMAND, new ControlCommand.MigrateRun(waiting.knowing(LONGER), -1, Map.of()));

        Program forgets = Programs.flow()
                .strictTask("a")
                .timer("wait", "PT1H")
                .end("end")
                .chain("start", "a", "wait", "end")
                .build();
        assertEquals(List.of("nothing in the new program would undo a#1"), obstacles(waiting, forgets));

        Story working = short_();
        Program renamed = Programs.flow()
                .undoable("z")
                .end("end")
                .chain("start", "z", "end")
                .build();
        working.rejected(RejectionCode.INVALID_STATE, migrate(working, renamed, Map.of("a", "z")));

        Story ending = short_().failForGood("a");
        ending.rejected(RejectionCode.INVALID_STATE, migrate(ending, LONGER, Map.of()));
    }

    /** In a settling scope what is decided stays decided; what lies ahead may change. */
    @Test
    void aSettlingScopeMayChangeAheadOfWhatHasSettled() {
        Story story = Story.of(Programs.dag().tasks("a", "b", "c").chain("start", "a", "b", "c"))
                .start()
                .ok("a");
        Program behind = Programs.dag()
                .tasks("a", "b", "c", "d")
                .chain("start", "a", "b", "c")
                .edge("a", "d")
                .build();
        assertEquals(List.of("a has settled, and its edges would be others"), obstacles(story, behind));
        Program ahead = Programs.dag()
                .tasks("a", "b", "c", "d")
                .chain("start", "a", "b", "c")
                .edge("b", "d")
                .build();
        story.accepted(migrate(story, ahead, Map.of())).ok("b").ok("c").ok("d");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void anOpenScopeMustBeThere() {
        Programs slot = Programs.flow()
                .strictTask("next")
                .end("end")
                .settlingScope("slot", "in", "out", "next")
                .tasks("in", "out")
                .edge("in", "out")
                .edge("out", "next")
                .edge("start", "in")
                .edge("next", "end");
        Story story = Story.of(slot).start();
        Program flat = Programs.flow()
                .strictTask("in")
                .end("end")
                .chain("start", "in", "end")
                .build();
        assertTrue(
                obstacles(story, flat)
                        .contains("scope slot is open, and the new program has no such scope in its place"),
                obstacles(story, flat).toString());
        assertEquals(Scope.Kind.FLOW, flat.root().kind());
    }

    @Test
    void lateAnswersFindTheirRunAfterAMove() {
        Story story = short_().ok("a");
        story.accepted(migrate(story, LONGER, Map.of("wait", "pause"))).fire("pause#1", 1);
        story.answer("b", new TaskAnswer.Returned());
        assertEquals(1, story.state().openAttempts().size());
        assertEquals(Optional.empty(), story.state().suspension());
    }

    /** Its word is heard all the same, and the run's end has waited for it. */
    @ParameterizedTest
    @EnumSource
    void aChildThatMayCompleteEndsAfterItsCallsNodeIsGone(Message.Ended ended) {
        Program child =
                Programs.dag().named("child").task("work").edge("start", "work").build();
        JsonObject called = JsonObject.builder()
                .put("version", 1)
                .put("program", ProgramCodec.hash(child).toString())
                .build();
        Story story = Story.of(MigrationPrograms.raceOfACall("child"))
                .with(Story.env(Bounds.DEFAULT)
                        .with(Map.of(new Fact.CalledProgram(new WorkflowId("child"), Optional.empty()), called)))
                .start()
                .ok("fast");
        RunId its = story.all(ChildStarted.class).getFirst().child();
        Program without = Programs.flow()
                .timer("wait", "PT1H")
                .end("end")
                .chain("start", "wait", "end")
                .build();
        story.accepted(migrate(story, without, Map.of())).restored().fire("wait#1", 1);
        assertFalse(story.status().isFinal(), "it waits for its child");

        story.accepted(new Command.Deliver(
                Post.ACME,
                story.state().run(),
                its,
                1,
                new Message.ChildSettled(
                        ActivationId.parse("call#1"), ended, Payload.of(JsonObject.EMPTY), Optional.empty())));

        assertEquals(List.of(), story.state().children());
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertReplays(story, story.program());
    }

    /** Its answer comes under the old name, and the run's end waits for it. */
    @Test
    void aCanceledTaskKeepsItsNameWhileAnAttemptIsOpen() {
        Story story = Story.of(race("slow")).start().ok("fast");
        Program renamed = race("later").build();
        assertEquals(1, story.state().openAttempts().size());

        story.rejected(RejectionCode.INVALID_STATE, migrate(story, renamed, Map.of("slow", "later")));
        story.rejected(RejectionCode.INVALID_STATE, migrate(story, renamed, Map.of()));
        story.ok("slow").accepted(migrate(story, renamed, Map.of("slow", "later")));

        story.fire("wait#1", 1);
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** A name that was given is given, and so is the key of that visit, by which others know what they did (R5). */
    @Test
    void aNodeThatComesBackDoesNotMakeItsVisitsAgain() {
        Story story = Story.of(round("a")).start().ok("a");
        Program other = round("b");

        story.accepted(migrate(story, other, Map.of()));
        assertEquals(
                Map.of(new NodeId("a"), 1),
                story.all(ControlEvent.Migrated.class).getLast().visits());
        story.restored().fire("wait#1", 1).ok("b");
        story.accepted(migrate(story, round("a"), Map.of("b", "a")));
        story.restored().fire("wait#2", 1);

        assertEquals(List.of("a"), story.open());
        assertEquals("a#2", story.state().openAttempts().getFirst().activation().toString());
        story.ok("a").accepted(migrate(story, other, Map.of("a", "b"))).fire("wait#3", 1);
        assertEquals("b#3", story.state().openAttempts().getFirst().activation().toString());
    }

    /** Forgotten, it counts on when it is visited again; the new name counts for itself. */
    @Test
    void aForgottenNodeCountsOnWhenItComesBack() {
        Story story = Story.of(round("a")).start().ok("a");
        story.accepted(migrate(story, round("b"), Map.of()));
        story.accepted(migrate(story, round("a"), Map.of())).fire("wait#1", 1);

        assertEquals("a#2", story.state().openAttempts().getFirst().activation().toString());
        story.ok("a");
        assertEquals(
                List.of(2, 1),
                story.all(EventBody.ActivationOpened.class).stream()
                        .filter(it -> it.activation().node().value().equals("a"))
                        .map(it -> it.activation().visit())
                        .sorted(java.util.Comparator.reverseOrder())
                        .toList());
    }
}
