package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.EventBody.ActivationCanceled;
import dev.flowstone.kernel.event.EventBody.EffectObserved;
import dev.flowstone.kernel.event.EventBody.IncidentRaised;
import dev.flowstone.kernel.event.ForkEvent.BranchCanceled;
import dev.flowstone.kernel.event.ForkEvent.BranchKept;
import dev.flowstone.kernel.event.ForkEvent.JoinFired;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node.Join.Losers;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** When joins fire, and what becomes of the branches that they fire without: R10. */
final class JoinPolicyTest {
    private static Programs three(JoinPolicy policy, Losers losers) {
        Programs out = Programs.flow()
                .fork("fork", "join", "a", "b", "c")
                .join("join", policy, losers)
                .strictTask("good")
                .strictTask("bad")
                .end("end")
                .edge("start", "fork")
                .edge("join", "good")
                .on(Outcome.UNSATISFIED, "join", "bad")
                .edge("good", "end")
                .edge("bad", "end");
        for (String name : List.of("a", "b", "c")) {
            out.branch(name, "fork", "t" + name, Scope.Kind.FLOW, Scope.FailurePolicy.ARRIVE)
                    .strictTask("t" + name)
                    .end("e" + name)
                    .edge("t" + name, "join", "context.data.t" + name + "=1")
                    .otherwise(Outcome.SUCCESS, "t" + name, "e" + name);
        }
        return out;
    }

    /** Per branch: + arrives, x arrives as a failure, - dies; then after which of them it fires, and where it leads. */
    static Stream<Arguments> tables() {
        Set<Outcome> any = Set.of(Outcome.SUCCESS, Outcome.FAILURE);
        return Stream.of(
                Arguments.of(new JoinPolicy.All(), "+++", 3, "good"),
                Arguments.of(new JoinPolicy.All(), "--+", 3, "good"),
                Arguments.of(new JoinPolicy.All(), "x--", 3, "good"),
                Arguments.of(new JoinPolicy.All(), "---", 3, "bad"),
                Arguments.of(new JoinPolicy.Count(1, Set.of()), "+", 1, "good"),
                Arguments.of(new JoinPolicy.Count(1, Set.of()), "x-x", 3, "bad"),
                Arguments.of(new JoinPolicy.Count(1, any), "x", 1, "good"),
                Arguments.of(new JoinPolicy.Count(2, Set.of()), "x-", 2, "bad"),
                Arguments.of(new JoinPolicy.Count(2, Set.of()), "+x+", 3, "good"),
                Arguments.of(new JoinPolicy.Count(4, Set.of()), "", 0, "bad"),
                Arguments.of(new JoinPolicy.Majority(Set.of()), "++", 2, "good"),
                Arguments.of(new JoinPolicy.Majority(Set.of()), "+-+", 3, "good"),
                Arguments.of(new JoinPolicy.Majority(Set.of()), "--", 2, "bad"),
                Arguments.of(new JoinPolicy.Ended(1), "-", 1, "good"),
                Arguments.of(new JoinPolicy.Ended(2), "x-", 2, "good"),
                Arguments.of(new JoinPolicy.Ended(4), "", 0, "bad"));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void aJoinFiresAsSoonAsItsPolicyIsMetOrCantBeMet(JoinPolicy policy, String ends, int after, String leads) {
        Story story = Story.of(three(policy, Losers.CANCEL)).start();
        for (int i = 0; i < ends.length(); i++) {
            assertEquals(List.of(), story.all(JoinFired.class), "too early, after " + i);
            String task = "t" + "abc".charAt(i);
            switch (ends.charAt(i)) {
                case '+' -> story.ok(task, 1);
                case 'x' -> story.failForGood(task);
                default -> story.ok(task, 0);
            }
        }

        assertEquals(after, story.all(JoinFired.class).getFirst().ended());
        assertTrue(story.open().contains(leads), story.tale());
        assertEquals(3 - after, after == 0 ? 3 : story.all(BranchCanceled.class).size());
        story.ok(leads);
        assertEquals(1, story.all(JoinFired.class).size());
    }

    @Test
    void canceledWorkNamesTheJoinItLost() {
        Story story = Story.of(three(new JoinPolicy.Count(1, Set.of()), Losers.CANCEL))
                .start()
                .ok("tb", 1);

        assertEquals(
                List.of("ta#1 JOIN_LOST join", "tc#1 JOIN_LOST join"),
                story.all(ActivationCanceled.class).stream()
                        .map(canceled -> canceled.activation() + " " + canceled.reason())
                        .toList());
        assertEquals(
                List.of("a join", "c join"),
                story.all(BranchCanceled.class).stream()
                        .map(lost -> "abc".charAt(lost.branch()) + " " + lost.join())
                        .toList());
        story.restored().ok("good").ok("ta", 1).ok("tc", 1);
        assertEquals(2, story.all(EffectObserved.class).size());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void losersThatAreToBeUndoneAreMarked() {
        Story story = Story.of(three(new JoinPolicy.Count(1, Set.of()), Losers.COMPENSATE))
                .start()
                .ok("tb", 1);

        assertTrue(story.all(BranchCanceled.class).stream().allMatch(BranchCanceled::compensates));
    }

    /** Kept losers go on; the run ends when they have; nothing of them reaches the join. */
    @Test
    void aKeptLoserGoesOnAndItsArrivalOnlyEndsIt() {
        Story story = Story.of(three(new JoinPolicy.Count(1, Set.of()), Losers.KEEP))
                .start()
                .ok("tb", 1);

        assertEquals(2, story.all(BranchKept.class).size());
        assertEquals(List.of("good", "ta", "tc"), story.open());
        story.ok("good").restored();
        assertEquals(RunStatus.RUNNING, story.status());
        story.ok("ta", 1).failForGood("tc");
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(1, story.all(JoinFired.class).size());
    }

    @Test
    void unsatisfiedWithoutAnEdgeIsAnIncident() {
        Story story = Story.of(Programs.dag()
                        .fork("fork", "join", "a")
                        .join("join", new JoinPolicy.Count(1, Set.of()), Losers.CANCEL)
                        .tasks("next")
                        .edge("start", "fork")
                        .edge("join", "next")
                        .settlingBranch("a", "fork", "t")
                        .tasks("t"))
                .start()
                .ok("t");

        assertEquals("NO_EDGE_TAKEN", story.all(IncidentRaised.class).getFirst().code());
        assertEquals(RunStatus.RUNNING, story.status());
    }
}
