package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R24: effects that nobody waited for are undone in their turn, the newest first, whatever is undone around them. */
final class LateEffectOrderTest {
    private static List<String> undone(Story story) {
        return story.all(CompensationEvent.CompensationApplied.class).stream()
                .map(applied -> applied.activation().toString())
                .toList();
    }

    private static Command ok(String activation) {
        return new Command.CompleteTask(
                ActivationId.parse(activation), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(1))));
    }

    /** A slot in which two tasks work while a third fails, in a run that undoes everything. */
    private static Story failing() {
        Story story = Story.of(Programs.flow()
                        .onFailure(Scope.FailurePolicy.COMPENSATE)
                        .undoable("first")
                        .strictTask("next")
                        .end("end")
                        .settlingScope("slot", "in", "out", "next")
                        .undoable("in")
                        .undoable("late")
                        .undoable("later")
                        .task("out")
                        .edge("in", "late")
                        .edge("in", "later")
                        .edge("in", "out")
                        .edge("out", "next")
                        .edge("start", "first")
                        .edge("first", "in")
                        .edge("next", "end"))
                .start()
                .ok("first")
                .ok("in")
                .with(new Bounds(1, 1_000, 1 << 20, 32 << 10, 5_000_000))
                .failForGood("out");
        // In decisions as small as these the slot is still open when its tasks are canceled.
        while (story.all(EventBody.ActivationCanceled.class).size() < 2) {
            story.accepted(new Command.ContinueRun());
        }
        assertEquals(List.of("late", "later"), story.open());
        assertEquals(List.of(), story.all(EventBody.ScopeClosed.class));
        return story;
    }

    /** R23: what is due is the root's stack, of which the slot's becomes a part; its effects don't go ahead of it. */
    @Test
    void anEffectInsideAScopeThatIsDueWaitsForTheOthers() {
        Story story = failing().accepted(ok("late#1"));
        assertEquals(List.of(), story.all(CompensationEvent.CompensationBegan.class));

        story.goOn().restored();
        assertEquals(List.of("later"), story.open());
        story.accepted(ok("later#1")).goOn();

        for (String next : List.of("later#-1", "late#-1", "in#-1", "first#-1")) {
            assertEquals(1, story.state().openAttempts().size());
            story.ok(next).goOn();
        }
        assertEquals(List.of("later#-1", "late#-1", "in#-1", "first#-1"), undone(story));
        assertEquals(1, story.all(CompensationEvent.CompensationBegan.class).size());
        assertEquals(RunStatus.FAILED, story.status());
    }

    /** In a scope of its own, whose late effect is undone while the run goes on. */
    private static Story undoing() {
        return Story.of(Programs.flow()
                        .undoable("first")
                        .end("end")
                        .flowScope("slot", "root", "b")
                        .undoable("b")
                        .strictTask("instead")
                        .on(Outcome.FAILURE, "b", "instead")
                        .edge("instead", "end")
                        .chain("start", "first", "b"))
                .start()
                .ok("first")
                .answer("b", new TaskAnswer.TimedOut())
                .accepted(ok("b#1"));
    }

    @Test
    void nothingElseIsUndoneWhileALateEffectIs() {
        Story story = undoing();
        assertEquals(List.of("b", "instead"), story.open());

        story.accepted(CompensationStoryTest.CANCEL)
                .answer("instead", new TaskAnswer.Lost())
                .restored();

        assertEquals(List.of("b"), story.open());
        story.ok("b#-1");
        assertEquals(List.of("first"), story.open());
        story.ok("first#-1");
        assertEquals(List.of("b#-1", "first#-1"), undone(story));
        assertEquals(RunStatus.CANCELED, story.status());
    }
}
