package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.APPROVED;
import static dev.flowstone.kernel.story.Asks.ASK;
import static dev.flowstone.kernel.story.Asks.REJECTED;
import static dev.flowstone.kernel.story.Asks.asked;
import static dev.flowstone.kernel.story.Asks.behalf;
import static dev.flowstone.kernel.story.Asks.decide;
import static dev.flowstone.kernel.story.Asks.overriding;
import static dev.flowstone.kernel.story.Asks.task;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.state.RunStatus;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** R13, R14: who may decide, for whom, and what a decision says that came before, after or beside another. */
final class DecisionStoryTest {
    @Test
    void onlyThoseWhoAreAskedDecideUnlessTheBorderOverrides() {
        asked(Asks.of("ask", "ann", "role:cfo"))
                .by("eve")
                .rejected(RejectionCode.NOT_ASSIGNED, decide("ask#1", APPROVED))
                .rejected(RejectionCode.NOT_ASSIGNED, decide("ask#1", APPROVED, "clerk"))
                .accepted(overriding("ask#1", APPROVED));
    }

    @Test
    void anOverrideCountsInThePlaceOfTheFirstWhoHasNotDecided() {
        Story story = asked(Asks.of("ask", "ann", "bob").quorum(new Quorum.All()))
                .by("eve")
                .accepted(overriding("ask#1", APPROVED));
        assertEquals(
                Optional.of(Party.user("ann")),
                task(story).decisions().getFirst().as());

        story.by("bob").accepted(decide("ask#1", APPROVED));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aRoleIsAnsweredByTheFirstWhoHasItWhereThoseAskedAreCounted() {
        Story story = asked(Asks.of("ask", "role:cfo", "role:clerk").quorum(new Quorum.All()))
                .by("ann")
                .accepted(decide("ask#1", APPROVED, "cfo"))
                .by("bob")
                .rejected(RejectionCode.NOT_ASSIGNED, decide("ask#1", APPROVED, "cfo"))
                .accepted(decide("ask#1", APPROVED, "cfo", "clerk"));

        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void theSameDecisionAgainChangesNothingAnotherOneIsAConflict() {
        Story story = asked(Asks.of("ask", "ann", "bob").quorum(new Quorum.All()))
                .by("ann")
                .accepted(decide("ask#1", APPROVED))
                .ignored(decide("ask#1", APPROVED))
                .rejected(RejectionCode.CONFLICT, decide("ask#1", REJECTED))
                .by("bob")
                .accepted(decide("ask#1", APPROVED));

        story.ignored(decide("ask#1", APPROVED))
                .rejected(RejectionCode.CONFLICT, decide("ask#1", REJECTED))
                .by("ann")
                .ignored(decide("ask#1", APPROVED))
                .by("eve")
                .rejected(RejectionCode.CONFLICT, decide("ask#1", APPROVED));
    }

    /** R14: of two opposite decisions the first in the log counts, the other gets a clean answer. */
    @Test
    void ofTwoOppositeDecisionsTheLogsOrderDecides() {
        Story story = asked(Asks.of("ask", "ann", "bob"))
                .by("bob")
                .accepted(decide("ask#1", REJECTED))
                .by("ann")
                .rejected(RejectionCode.CONFLICT, decide("ask#1", APPROVED));

        assertEquals(
                REJECTED,
                story.all(HumanEvent.HumanTaskSettled.class).getFirst().outcome());
    }

    @Test
    void aDecisionForAnotherVisitIsStale() {
        Story story = Story.of(Programs.flow()
                        .node(Asks.of("ask", "ann"))
                        .end("yes")
                        .edge("start", "ask")
                        .on(APPROVED, "ask", "yes")
                        .on(REJECTED, "ask", "ask"))
                .start()
                .by("ann")
                .accepted(decide("ask#1", REJECTED));

        story.rejected(RejectionCode.STALE_ACTIVATION, decide("ask#1", APPROVED))
                .rejected(RejectionCode.NOT_FOUND, decide("ask#3", APPROVED))
                .accepted(decide("ask#2", APPROVED));
    }

    @Test
    void whatItDoesNotDeclareCannotBeDecided() {
        asked(Asks.of("ask", "ann"))
                .by("ann")
                .rejected(RejectionCode.INVALID_COMMAND, decide("ask#1", new Outcome("maybe")))
                .rejected(
                        RejectionCode.INVALID_COMMAND, new HumanCommand.Resolve(ASK, new Outcome("maybe"), "because"));
    }

    @Test
    void aRationaleIsKeptAsItStandsOrRefused() {
        Story story =
                asked(Asks.of("ask", "ann", "bob").quorum(new Quorum.All())).by("ann");
        story.rejected(RejectionCode.LIMIT_EXCEEDED, because("x".repeat(4_001)))
                .rejected(RejectionCode.INVALID_COMMAND, because("\ud800"))
                .rejected(RejectionCode.INVALID_COMMAND, because(" "))
                .accepted(because("é".repeat(4_000)));

        assertEquals(
                Optional.of("é".repeat(4_000)),
                task(story).decisions().getFirst().rationale());
    }

    private static HumanCommand.Decide because(String rationale) {
        return new HumanCommand.Decide(
                ASK, APPROVED, Set.of(), Optional.empty(), Optional.of(rationale), Optional.empty(), false);
    }

    @Test
    void oneDecidesOnBehalfOfAnotherAndBothHaveSpoken() {
        Story story = asked(Asks.of("ask", "ann", "bob", "cem").quorum(new Quorum.All()))
                .by("eve")
                .rejected(RejectionCode.NOT_ASSIGNED, behalf("ask#1", APPROVED, "zoe"))
                .accepted(behalf("ask#1", APPROVED, "ann"))
                .rejected(RejectionCode.CONFLICT, behalf("ask#1", APPROVED, "bob"))
                .by("ann")
                .rejected(RejectionCode.CONFLICT, decide("ask#1", APPROVED));

        assertEquals(
                Optional.of(Party.user("ann")),
                task(story).decisions().getFirst().onBehalfOf());
    }

    @Test
    void theSystemResolvesWhateverTheQuorum() {
        Story story = asked(Asks.of("ask", "ann", "bob").quorum(new Quorum.All()))
                .by("ann")
                .accepted(decide("ask#1", REJECTED))
                .by("system")
                .accepted(new HumanCommand.Resolve(ASK, APPROVED, "expired"))
                .ignored(new HumanCommand.Resolve(ASK, APPROVED, "expired"))
                .rejected(RejectionCode.CONFLICT, new HumanCommand.Resolve(ASK, REJECTED, "expired"));

        HumanEvent.HumanTaskSettled settled =
                story.all(HumanEvent.HumanTaskSettled.class).getFirst();
        assertEquals(APPROVED, settled.outcome());
        assertEquals(HumanEvent.Settlement.RESOLVED, settled.how());
        assertTrue(CanonicalJson.exactText(((Payload.Inline) settled.output()).value())
                .contains("\"resolved\":{\"actor\":\"user:system\",\"reason\":\"expired\"}"));
    }
}
