package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.decision.Migration;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R5 and R26: a name that was one visit's is never another's, however often a run moves; but its own it may get back. */
final class MigrationNamesTest {
    private static Command migrate(Story story, Program to, String... names) {
        return new ControlCommand.MigrateRun(story.knowing(to), 4, nodes(names));
    }

    private static Map<NodeId, NodeId> nodes(String... names) {
        Map<NodeId, NodeId> nodes = new HashMap<>();
        for (int i = 0; i < names.length; i += 2) {
            nodes.put(new NodeId(names[i]), new NodeId(names[i + 1]));
        }
        return nodes;
    }

    /** A timer, and a task behind it. */
    private static Program sleeping(String timer) {
        return Programs.flow()
                .timer(timer, "PT1H")
                .strictTask("work")
                .end("end")
                .chain("start", timer, "work", "end")
                .build();
    }

    /** Two timers, of which the first has gone off. */
    private static Program twice(String first, String second) {
        return Programs.flow()
                .timer(first, "PT1H")
                .timer(second, "PT1H")
                .end("end")
                .chain("start", first, second, "end")
                .build();
    }

    private static Program parking(String task) {
        return Programs.flow()
                .onFailure(Scope.FailurePolicy.PARK)
                .undoable(task)
                .end("end")
                .chain("start", task, "end")
                .build();
    }

    private static Program keeping(String done, String timer) {
        return Programs.flow()
                .undoable(done)
                .timer(timer, "PT1H")
                .end("end")
                .chain("start", done, timer, "end")
                .build();
    }

    @Test
    void aLivingTimerIsNotGivenTheNameOfAnotherVisit() {
        Story story = Story.of(twice("a", "b")).start().fire("a#1", 1);
        Program to = twice("c", "a");

        Migration.Preview preview =
                Migration.preview(story.restored().state(), known(story, to), nodes("a", "c", "b", "a"));

        assertEquals(List.of("b#1 would be a#1, as another visit was called already"), preview.obstacles());
        story.rejected(RejectionCode.INVALID_STATE, migrate(story, to, "a", "c", "b", "a"));
        story.accepted(migrate(story, twice("c", "d"), "a", "c", "b", "d"));
        story.rejected(RejectionCode.INVALID_STATE, migrate(story, twice("b", "a"), "c", "b", "d", "a"));
        story.rejected(RejectionCode.INVALID_STATE, migrate(story, sleeping("c"), "d", "c"));
        story.restored().accepted(migrate(story, twice("a", "b"), "c", "a", "d", "b"));
        story.fire("b#1", 1);
    }

    private static Program known(Story story, Program to) {
        story.knowing(to);
        return to;
    }

    /** Nobody has the name any more, and yet it was given. */
    @Test
    void aForgottenVisitsNameStaysItsOwn() {
        Story story = Story.of(twice("a", "b")).start().fire("a#1", 1);
        story.accepted(migrate(story, sleeping("b"))).restored();

        story.rejected(RejectionCode.INVALID_STATE, migrate(story, sleeping("a"), "b", "a"));
        story.accepted(migrate(story, sleeping("c"), "b", "c"));
    }

    @Test
    void aTimerGetsBackEachNameThatItHad() {
        Story story = Story.of(sleeping("a")).start();
        for (String names : List.of("a b", "b c", "c b", "b a", "a c", "c a", "a d", "d b")) {
            String[] move = names.split(" ");
            story.restored().accepted(migrate(story, sleeping(move[1]), move));
        }
        story.restored().fire("b#1", 1).ok("work");
    }

    @Test
    void aParkedTaskIsNamedByTheSameRule() {
        Story story = Story.of(parking("a")).start().failForGood("a");
        story.accepted(migrate(story, parking("b"), "a", "b")).restored();
        story.accepted(migrate(story, parking("a"), "b", "a"));
        Story other = Story.of(Programs.flow()
                        .onFailure(Scope.FailurePolicy.PARK)
                        .strictTask("x")
                        .undoable("a")
                        .end("end")
                        .chain("start", "x", "a", "end")
                        .build())
                .start()
                .ok("x")
                .failForGood("a");
        other.rejected(RejectionCode.INVALID_STATE, migrate(other, parking("x"), "a", "x"));
        other.accepted(migrate(other, parking("y"), "a", "y"))
                .accepted(new ControlCommand.RetryIncident(
                        other.state().incidents().getFirst().sequence(), Optional.empty()))
                .ok("y");
    }

    /** What undoes a visit is named after it, and has its key by that name. */
    @Test
    void whatCanStillBeUndoneIsNotGivenTheNameOfAnotherVisit() {
        Story story = Story.of(keeping("a", "b")).start().ok("a");
        story.accepted(migrate(story, keeping("z", "b"), "a", "z")).restored();
        story.accepted(migrate(story, keeping("a", "b"), "z", "a")).restored();
        story.accepted(migrate(story, keeping("z", "y"), "a", "z", "b", "y")).restored();

        story.rejected(RejectionCode.INVALID_STATE, migrate(story, keeping("b", "y"), "z", "b"));

        story.accepted(CompensationStoryTest.CANCEL).ok("z#-1");
    }

    /** It keeps them while it can be undone, also those that it had while it waited. */
    @Test
    void whatWasRenamedWhileItWaitedKeepsItsNamesForItsUndoing() {
        Story story = Story.of(Programs.flow()
                        .onFailure(Scope.FailurePolicy.PARK)
                        .undoable("a")
                        .timer("t", "PT1H")
                        .end("end")
                        .chain("start", "a", "t", "end"))
                .start()
                .failForGood("a");
        story.accepted(migrate(story, keeping("b", "t"), "a", "b"))
                .accepted(new ControlCommand.RetryIncident(
                        story.state().incidents().getFirst().sequence(), Optional.empty()))
                .ok("b")
                .restored();

        story.accepted(migrate(story, keeping("a", "t"), "b", "a")).accepted(CompensationStoryTest.CANCEL);

        assertEquals(List.of("a"), story.open());
        story.ok("a#-1");
    }

    /** A task, people who are asked, and a gate that will use what they decide. */
    private static Program gated(String task, String human) {
        return Programs.flow()
                .strictTask(task)
                .node(Asks.of(human, "ann"))
                .timer("t", "PT1H")
                .node(Asks.gate("gate", human))
                .end("end")
                .chain("start", task)
                .edge(task, human)
                .on(Asks.APPROVED, human, "t")
                .chain("t", "gate", "end")
                .build();
    }

    /** What a gate will use is named by its visit, in an event. */
    @Test
    void whatWasDecidedIsNotGivenTheNameOfAnotherVisit() {
        Story story = Story.of(gated("a", "h")).start().ok("a").by("ann").accepted(Asks.decide("h#1", Asks.APPROVED));
        story.rejected(RejectionCode.INVALID_STATE, migrate(story, gated("z", "a"), "a", "z", "h", "a"));
        story.accepted(migrate(story, gated("a", "i"), "h", "i")).restored();
        story.accepted(migrate(story, gated("a", "h"), "i", "h")).restored();
        story.rejected(RejectionCode.INVALID_STATE, migrate(story, gated("z", "a"), "a", "z", "h", "a"));

        story.fire("t#1", 1).ok("gate");

        assertEquals(
                List.of("h#1"),
                story.all(HumanEvent.DecisionApplied.class).stream()
                        .map(applied -> applied.decided().toString())
                        .toList());
    }
}
