package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.event.ForkEvent.JoinFired;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A settling scope inside a branch: R6, R7. */
final class SlotInBranchTest {
    /** A slot in a branch, one of whose paths ends in a leaf: the branch goes on when all of it has settled. */
    @Test
    void aSlotInABranchWhosePathEndsInALeafGoesOnOnceSettled() {
        Story story = Story.of(slotInBranch()).start().ok("in");
        story.ok("out");
        assertEquals(List.of("leaf"), story.open());
        story.ok("leaf");
        assertEquals(List.of("done"), story.open());
        story.restored().ok("done", 1);
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    private static Programs slotInBranch() {
        return Programs.flow()
                .fork("fork", "join", "a")
                .join("join")
                .strictTask("out-of-it")
                .end("end")
                .edge("start", "fork")
                .edge("join", "end")
                .edge("out-of-it", "end")
                .branch("a", "fork", "pick")
                .choice("pick")
                .strictTask("done")
                .edge("pick", "in")
                .edge("done", "join")
                .scope("slot", "a", Scope.Kind.SETTLING, "in", Optional.of("out"), Optional.of("out->done"))
                .tasks("in", "leaf", "out")
                .edge("in", "leaf")
                .edge("in", "out")
                .edge("out", "done")
                .on(Outcome.FAILURE, "leaf", "out-of-it")
                .on(Outcome.FAILURE, "in", "join");
    }

    /** R7: innermost first, over the slot, the branch and the fork. */
    @Test
    void anExitFromDeepInsideLeavesTheWholeFork() {
        Story story = Story.of(slotInBranch()).start().ok("in").failForGood("leaf");

        assertEquals(List.of("out", "out-of-it"), story.open());
        assertEquals(List.of(), story.all(JoinFired.class));
        story.ok("out").ok("out-of-it");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** An edge to the join from a slot inside the branch closes the slot and arrives. */
    @Test
    void anArrivalFromDeepInsideClosesWhatLiesBetween() {
        Story story = Story.of(slotInBranch()).start().failForGood("in");

        assertEquals(1, story.all(JoinFired.class).getFirst().arrived());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }
}
