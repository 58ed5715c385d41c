package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.DataEvent.SubjectChanged;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.read.EditWindow;
import dev.flowstone.kernel.read.EditWindow.Mode;
import dev.flowstone.kernel.read.EditWindows;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R16, R17: runs about a subject, and tasks that change it. */
final class BoundRunTest {
    static final SubjectBinding INVOICE = new SubjectBinding(new Subject("invoice", "7"), 5, true);

    static Command.StartRun about(Story story, SubjectBinding binding) {
        Command.StartRun plain = story.startCommand(Map.of());
        return new Command.StartRun(
                plain.tenant(),
                plain.run(),
                plain.version(),
                plain.program(),
                plain.requestId(),
                plain.input(),
                Requested.NOTHING,
                Optional.of(binding));
    }

    private static Story bound(Programs program) {
        Story story = Story.of(program);
        return story.accepted(about(story, INVOICE));
    }

    static Command.CompleteTask done(Story story, String activation, long version) {
        return new Command.CompleteTask(
                story.id(activation), 1, new TaskAnswer.Ok(Payload.of(new JsonString("done"))), Optional.of(version));
    }

    private static Programs posting() {
        return Programs.dag().tasks("post", "next").edge("start", "post").edge("post", "next");
    }

    @Test
    void theSubjectAndItsVersionAreKnownFromTheStart() {
        Story story = bound(posting());

        assertEquals(Optional.of(INVOICE), story.state().subject());
        assertEquals(Optional.of(5L), story.state().subjectVersion());
        assertEquals(
                Optional.of(INVOICE),
                story.all(EventBody.RunStarted.class).getFirst().subject());
        assertNotEquals(
                story.all(EventBody.ActivationOpened.class).getLast().key(),
                Story.of(posting())
                        .start()
                        .all(EventBody.ActivationOpened.class)
                        .getLast()
                        .key(),
                "the version is part of each activation's key");
    }

    @Test
    void aTaskThatChangedTheSubjectSaysSoBeforeItIsCompleted() {
        Story story = bound(posting());

        story.accepted(done(story, "post#1", 6));

        assertEquals(List.of(new SubjectChanged(true, 6)), story.all(SubjectChanged.class));
        assertEquals(
                List.of("SubjectChanged", "TaskCompleted"), story.lastKinds().subList(0, 2));
        assertEquals(Optional.of(6L), story.state().subjectVersion());
    }

    @Test
    void theSameAnswerTellsItOnce() {
        Story story = bound(posting());

        story.accepted(done(story, "post#1", 6)).ignored(done(story, "post#1", 6));

        assertEquals(1, story.all(SubjectChanged.class).size());
    }

    @Test
    void aLateAnswerOfACanceledTaskTellsItToo() {
        Story story = bound(
                Programs.dag().tasks("post", "other").edge("start", "post").edge("start", "other"));
        story.failForGood("other");
        assertEquals(1, story.all(EventBody.ActivationCanceled.class).size());

        story.accepted(done(story, "post#1", 6));

        assertEquals(List.of(new SubjectChanged(true, 6)), story.all(SubjectChanged.class));
        assertEquals(1, story.all(EventBody.EffectObserved.class).size());
    }

    @Test
    void anAnswerThatComesTooLateStillTellsWhatTheSubjectIs() {
        Story story = bound(posting());
        story.ok("post");

        story.accepted(done(story, "post#1", 6));

        assertEquals(List.of("SubjectChanged"), story.lastKinds());
    }

    @Test
    void aSuspendedRunLearnsOfItWhenItIsResumed() {
        Story story = bound(posting());
        story.accepted(new ControlCommand.SuspendRun(
                new HoldPolicy(HoldPolicy.TimerRule.FREEZE, HoldPolicy.InputRule.BUFFER), "for a test", "run"));

        story.accepted(done(story, "post#1", 6));
        assertEquals(Optional.of(5L), story.state().subjectVersion());
        story.restored().accepted(new ControlCommand.ResumeRun("for a test"));

        assertEquals(List.of(new SubjectChanged(true, 6)), story.all(SubjectChanged.class));
        assertTrue(story.all(EventBody.TaskCompleted.class).size() == 1, story::tale);
    }

    private static Programs windowed() {
        return Programs.dag()
                .tasks("draft", "left", "right", "sign")
                .edge("start", "draft")
                .edge("draft", "left")
                .edge("draft", "right")
                .edge("left", "sign")
                .edge("right", "sign")
                .metadata(JsonObject.builder()
                        .put(
                                "windows",
                                JsonObject.builder()
                                        .put("draft", EditWindow.OPEN.toJson())
                                        .put(
                                                "left",
                                                EditWindow.of(Mode.AMEND_ONLY).toJson())
                                        .put(
                                                "right",
                                                new EditWindow(Mode.EDITABLE, Optional.of(List.of("note"))).toJson())
                                        .put("sign", new JsonString("nonsense"))
                                        .build())
                        .build());
    }

    @Test
    void theWindowIsTheStrictestOfWhereTheRunIsAlive() {
        Story story = bound(windowed());
        assertEquals(Optional.of(EditWindow.OPEN), EditWindows.of(story.state()));

        story.ok("draft");
        assertEquals(
                Optional.of(new EditWindow(Mode.AMEND_ONLY, Optional.of(List.of("note")))),
                EditWindows.of(story.state()));

        story.ok("left");
        assertEquals(
                Optional.of(new EditWindow(Mode.EDITABLE, Optional.of(List.of("note")))),
                EditWindows.of(story.state()));
    }

    @Test
    void aWindowThatCanNotBeReadIsLockedAndTheLastOneOutlivesTheRun() {
        Story story = bound(windowed()).ok("draft").ok("left").ok("right");
        assertEquals(Optional.of(EditWindow.LOCKED), EditWindows.of(story.state()));

        story.ok("sign");

        assertTrue(story.status().isFinal());
        assertEquals(Optional.of(EditWindow.LOCKED), EditWindows.of(story.state()));
    }

    @Test
    void aProgramWithoutWindowsSaysNothing() {
        Story story = bound(posting());

        assertEquals(Optional.empty(), EditWindows.of(story.state()));
    }
}
