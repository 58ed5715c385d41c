package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.ForkExitTest.skipped;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.EventBody.IncidentRaised;
import dev.flowstone.kernel.event.ForkEvent.IncidentDiscarded;
import dev.flowstone.kernel.event.ForkEvent.JoinFired;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node.Join.Losers;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** R23: an unhandled failure in a branch arrives, is parked or fails the run; incidents go with the scope they are in. */
final class BranchFailureTest {
    @Test
    void anIncidentInAScopeThatIsLeftIsDiscarded() {
        Story story = Story.of(Programs.flow()
                        .fork("fork", "join", "a", "b")
                        .join("join", new JoinPolicy.Count(1, Set.of()), Losers.CANCEL)
                        .end("end")
                        .edge("start", "fork")
                        .edge("join", "end")
                        .branch("a", "fork", "ta")
                        .strictTask("ta")
                        .edge("ta", "join", "false")
                        .branch("b", "fork", "tb")
                        .strictTask("tb")
                        .edge("tb", "join"))
                .start()
                .ok("ta");
        assertEquals("NO_EDGE_TAKEN", story.all(IncidentRaised.class).getFirst().code());

        story.restored().ok("tb");

        assertEquals(1, story.all(IncidentDiscarded.class).size());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** R23: the branch arrives as a failure, and the others go on. */
    @Test
    void anUnhandledFailureArrivesWhereItsBranchSaysSo() {
        Story story = failing(Scope.FailurePolicy.ARRIVE).start().failForGood("ta");
        assertEquals(List.of("tb"), story.open());
        story.ok("tb");
        assertTrue(ForkTest.result(story, "join").contains("{\"branch\":\"a\",\"outcome\":\"failure\""));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void anUnhandledFailureIsParkedWhereItsScopeSaysSo() {
        Story story =
                failing(Scope.FailurePolicy.PARK).start().failForGood("ta").restored();
        assertEquals(
                "UNHANDLED_FAILURE", story.all(IncidentRaised.class).getFirst().code());
        assertEquals(List.of("tb"), story.open());
        story.ok("tb");
        assertEquals(List.of(), story.all(JoinFired.class));
        assertEquals(RunStatus.RUNNING, story.status());
    }

    @Test
    void anUnhandledFailureFailsTheRunOtherwise() {
        Story story = failing(Scope.FailurePolicy.FAIL).start().failForGood("ta");
        assertEquals(RunStatus.FAILING, story.status());
        story.restored().ok("tb");
        assertEquals(RunStatus.FAILED, story.status());
        assertFalse(skipped(story).isEmpty());
    }

    private static Story failing(Scope.FailurePolicy policy) {
        return Story.of(Programs.dag()
                .fork("fork", "join", "a", "b")
                .join("join")
                .edge("start", "fork")
                .branch("a", "fork", "ta", Scope.Kind.SETTLING, policy)
                .strictTask("ta")
                .edge("ta", "join")
                .settlingBranch("b", "fork", "tb")
                .strictTask("tb")
                .edge("tb", "join"));
    }
}
