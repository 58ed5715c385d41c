package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.APPROVED;
import static dev.flowstone.kernel.story.Asks.PASS;
import static dev.flowstone.kernel.story.Asks.REJECTED;
import static dev.flowstone.kernel.story.Asks.decide;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent.HumanTaskSettled;
import dev.flowstone.kernel.event.HumanEvent.Settlement;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R13: what gives a human task its outcome, and what can't give it one any more. */
final class QuorumStoryTest {
    private static final Map<String, Quorum> QUORUMS = Map.of(
            "one", new Quorum.One(),
            "two", new Quorum.Count(2),
            "majority", new Quorum.Majority(),
            "all", new Quorum.All(),
            "serial", new Quorum.Serial());
    private static final Map<Character, Outcome> OUTCOMES = Map.of('y', APPROVED, 'n', REJECTED, '-', PASS);

    /** Who is asked, in order, by first letter; what each says: y, n, or - to abstain. No outcome: it waits. */
    @ParameterizedTest
    @CsvSource({
        "one,      abc,  ay,             approved",
        "one,      abc,  bn,             rejected",
        "one,      abc,  a- by,          approved",
        "one,      ab,   a-,             open",
        "one,      ab,   a- b-,          unreachable",
        "two,      abc,  ay,             open",
        "two,      abc,  ay by,          approved",
        "two,      abc,  ay bn cy,       approved",
        "two,      abc,  ay bn,          open",
        "two,      abc,  ay bn c-,       unreachable",
        "two,      abc,  a- b-,          unreachable",
        "two,      a,    '',             unreachable",
        "majority, abc,  ay,             open",
        "majority, abc,  ay by,          approved",
        "majority, abcd, ay by,          open",
        "majority, abcd, ay by c-,       approved",
        "majority, abcd, ay by cn,       open",
        "majority, abcd, ay by cn dn,    unreachable",
        "majority, abcd, ay by cn d-,    approved",
        "majority, ab,   ay bn,          unreachable",
        "majority, ab,   a- by,          approved",
        "majority, ab,   a- b-,          unreachable",
        "majority, abc,  an bn,          rejected",
        "all,      abc,  ay by,          open",
        "all,      abc,  ay by cy,       approved",
        "all,      abc,  ay by c-,       approved",
        "all,      abc,  an bn cn,       rejected",
        "all,      abc,  ay bn,          unreachable",
        "all,      ab,   a- b-,          unreachable",
        "serial,   abc,  ay by cy,       approved",
        "serial,   abc,  ay b- cy,       approved",
        "serial,   abc,  ay bn,          unreachable",
        "serial,   abc,  a- b-,          open",
    })
    void aQuorumIsMetOpenOrOutOfReach(String quorum, String asked, String said, String expected) {
        Quorum of = QUORUMS.getOrDefault(quorum, new Quorum.One());
        Story story =
                Story.of(Asks.flow(Asks.of("ask", asked.split("")).quorum(of))).start();

        for (String one : said.isBlank() ? new String[0] : said.trim().split(" ")) {
            if (one.length() == 2) {
                story.by(one.substring(0, 1)).accepted(decide("ask#1", OUTCOMES.getOrDefault(one.charAt(1), PASS)));
            }
        }

        switch (expected) {
            case "open" -> {
                assertEquals(1, story.state().humanTasks().size());
                assertEquals(RunStatus.RUNNING, story.status());
            }
            case "unreachable" -> {
                assertEquals(RunStatus.FAILED, story.status());
                assertEquals(
                        "QUORUM_UNREACHABLE",
                        story.all(EventBody.TaskFailed.class).getFirst().error().code());
            }
            default -> {
                HumanTaskSettled settled = story.all(HumanTaskSettled.class).getFirst();
                assertEquals(expected, settled.outcome().name());
                assertEquals(Settlement.QUORUM, settled.how());
                assertEquals(RunStatus.SUCCEEDED, story.status());
            }
        }
    }

    @Test
    void aVetoDecidesAtOnceWhateverTheQuorum() {
        Story story = Story.of(Asks.flow(
                        Asks.of("ask", "a", "b", "c").quorum(new Quorum.All()).vetoes(REJECTED)))
                .start()
                .by("a")
                .accepted(decide("ask#1", APPROVED))
                .by("b")
                .accepted(decide("ask#1", REJECTED));

        HumanTaskSettled settled = story.all(HumanTaskSettled.class).getFirst();
        assertEquals(REJECTED, settled.outcome());
        assertEquals(Settlement.VETO, settled.how());
        assertEquals(
                List.of("HumanDecided", "HumanTaskSettled", "Transitioned"),
                story.lastKinds().subList(0, 3));
    }

    @Test
    void aQuorumOutOfReachHasTheOutcomeThatTheProgramSays() {
        Story story = Story.of(Asks.flow(
                        Asks.of("ask", "a", "b").quorum(new Quorum.All()).unmet(REJECTED)))
                .start()
                .by("a")
                .accepted(decide("ask#1", APPROVED))
                .by("b")
                .accepted(decide("ask#1", REJECTED));

        HumanTaskSettled settled = story.all(HumanTaskSettled.class).getFirst();
        assertEquals(REJECTED, settled.outcome());
        assertEquals(Settlement.UNMET, settled.how());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aFailedQuorumTellsWhatWasDecidedAndCanBeRouted() {
        Story story = Story.of(Asks.flow(Asks.of("ask", "a", "b").quorum(new Quorum.All()))
                        .task("repair")
                        .on(Outcome.FAILURE, "ask", "repair")
                        .edge("repair", "yes"))
                .start()
                .by("a")
                .accepted(decide("ask#1", APPROVED))
                .by("b")
                .accepted(decide("ask#1", REJECTED));

        assertEquals(List.of("repair"), story.open());
        EventBody.TaskFailed failed = story.all(EventBody.TaskFailed.class).getFirst();
        assertEquals(
                2,
                JsonCursor.of(failed.error().details())
                        .member("decisions")
                        .items()
                        .size());
    }

    @Test
    void aSerialQuorumAsksOneAfterAnother() {
        Story story = Story.of(Asks.flow(Asks.of("ask", "a", "b").quorum(new Quorum.Serial())))
                .start()
                .by("b")
                .rejected(RejectionCode.NOT_ASSIGNED, decide("ask#1", APPROVED))
                .by("a")
                .accepted(decide("ask#1", APPROVED))
                .by("b")
                .accepted(decide("ask#1", APPROVED));

        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aPersonCountsOnceUnlessTheProgramSaysOtherwise() {
        Story unique = Story.of(Asks.flow(Asks.of("ask", "role:cfo").quorum(new Quorum.Count(2))))
                .start()
                .by("a")
                .accepted(decide("ask#1", APPROVED, "cfo"))
                .ignored(decide("ask#1", APPROVED, "cfo"))
                .rejected(RejectionCode.CONFLICT, decide("ask#1", REJECTED, "cfo"));
        assertEquals(RunStatus.RUNNING, unique.status());

        Story twice = Story.of(Asks.flow(
                        Asks.of("ask", "role:cfo").quorum(new Quorum.Count(2)).anyActor()))
                .start()
                .by("a")
                .accepted(decide("ask#1", APPROVED, "cfo"))
                .accepted(decide("ask#1", APPROVED, "cfo"));
        assertEquals(RunStatus.SUCCEEDED, twice.status());
    }

    @Test
    void countsArePerVisit() {
        Story story = Story.of(Programs.flow()
                        .node(Asks.of("ask", "a", "b")
                                .quorum(new Quorum.Count(2))
                                .vetoes(REJECTED))
                        .task("mend")
                        .end("yes")
                        .edge("start", "ask")
                        .on(APPROVED, "ask", "yes")
                        .on(REJECTED, "ask", "mend")
                        .edge("mend", "ask"))
                .start()
                .by("a")
                .accepted(decide("ask#1", APPROVED))
                .by("b")
                .accepted(decide("ask#1", REJECTED))
                .ok("mend");

        assertEquals(List.of(), story.state().humanTasks().getFirst().task().decisions());
        story.by("a").accepted(decide("ask#2", APPROVED)).by("b").accepted(decide("ask#2", APPROVED));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void theOutputHoldsTheDecisionsOfItsVisit() {
        Story story = Story.of(Programs.dag()
                        .node(Asks.of("ask", "a", "b").quorum(new Quorum.All()))
                        .edge("start", "ask"))
                .start()
                .by("a")
                .accepted(decide("ask#1", APPROVED))
                .by("b")
                .accepted(decide("ask#1", APPROVED));

        JsonCursor output = JsonCursor.of(story.output());
        assertEquals("approved", output.string("outcome"));
        assertEquals(List.of("user:a", "user:b"), output.list("decisions", decision -> decision.string("actor")));
    }

    /** Two hundred long rationales fit into no event: each stands in its own, the output names who decided what. */
    @Test
    void theOutputIsBounded() {
        String[] many = new String[200];
        for (int i = 0; i < many.length; i++) {
            many[i] = "u" + i;
        }
        Story story = Story.of(Programs.dag()
                        .node(Asks.of("ask", many).quorum(new Quorum.All()))
                        .edge("start", "ask"))
                .start();
        for (String user : many) {
            story.by(user)
                    .accepted(new HumanCommand.Decide(
                            ActivationId.parse("ask#1"),
                            APPROVED,
                            Set.of(),
                            Optional.empty(),
                            Optional.of("x".repeat(4_000)),
                            Optional.empty(),
                            false));
        }

        HumanTaskSettled settled = story.all(HumanTaskSettled.class).getFirst();
        String text = CanonicalJson.exactText(((Payload.Inline) settled.output()).value());
        assertTrue(text.length() <= story.env().bounds().inlineBytes(), "bytes " + text.length());
    }
}
