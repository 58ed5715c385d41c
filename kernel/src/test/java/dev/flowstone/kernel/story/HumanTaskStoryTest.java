package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.APPROVED;
import static dev.flowstone.kernel.story.Asks.REJECTED;
import static dev.flowstone.kernel.story.Asks.behalf;
import static dev.flowstone.kernel.story.Asks.claim;
import static dev.flowstone.kernel.story.Asks.decide;
import static dev.flowstone.kernel.story.Asks.overriding;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.kernel.state.Assignee;
import dev.flowstone.kernel.state.HumanTaskState;
import dev.flowstone.kernel.state.OpenHumanTask;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** R13, R14: people are asked, claim, hand over, are reminded, and decide. */
final class HumanTaskStoryTest {
    private static final ActivationId ASK = ActivationId.parse("ask#1");
    private static final Duration HOUR = Duration.ofHours(1);

    private static Story asked(Asks asks) {
        return Story.of(Asks.flow(asks)).start();
    }

    private static HumanTaskState task(Story story) {
        return story.state().humanTask(ASK).map(OpenHumanTask::task).orElseThrow();
    }

    private static List<Party> parties(Story story) {
        return task(story).assignees().stream().map(Assignee::party).toList();
    }

    private static HumanCommand.Reassign reassign(Party from, Party... to) {
        return new HumanCommand.Reassign(ASK, Optional.of(from), List.of(to), "ill");
    }

    private static HumanCommand.Delegate delegate(String from, String to) {
        return new HumanCommand.Delegate(ASK, Party.user(from), Party.user(to), Set.of(), false, "away");
    }

    @Test
    void asksWhomTheRuleFindsAndShowsWhatItRenders() {
        JsonValue rule = new JsonArray(List.of(
                new JsonString("{{trigger.manager}}"),
                JsonObject.builder().put("role", "cfo").build(),
                JsonObject.builder().put("user", "ann").build(),
                new JsonString("ann"),
                JsonNull.NULL));
        Story story = Story.of(Asks.flow(Asks.by("ask", rule)));
        story.start(Map.of(
                "trigger", Payload.of(JsonObject.builder().put("manager", "max").build())));

        assertEquals(List.of(Party.user("max"), Party.role("cfo"), Party.user("ann")), parties(story));
        assertEquals(
                Payload.of(JsonObject.builder().put("what", "ask").build()),
                task(story).request());
        assertEquals(
                List.of("RunStarted", "ActivationOpened"), story.lastKinds().subList(0, 2));
        assertTrue(story.lastKinds().contains("HumanTaskOpened"));
    }

    @Test
    void case12AnAssignmentRuleThatFindsNobodyFailsVisibly() {
        for (JsonValue nobody : List.of(JsonNull.NULL, JsonArray.EMPTY, new JsonString(""))) {
            Story story = Story.of(Asks.flow(Asks.by("ask", new JsonString("{{trigger.who}}"))));
            story.start(Map.of(
                    "trigger",
                    Payload.of(JsonObject.builder().put("who", nobody).build())));

            assertEquals(RunStatus.FAILED, story.status());
            assertEquals(
                    "NO_ASSIGNEE",
                    story.all(EventBody.TaskFailed.class).getFirst().error().code());
        }
    }

    @Test
    void case12AnAssignmentRuleThatNamesNobodyIsRefusedAtPublish() {
        List<ProgramFault.Code> codes = ProgramCheck.faults(
                        Asks.flow(Asks.of("ask")).build())
                .stream()
                .map(ProgramFault::code)
                .toList();

        assertEquals(List.of(ProgramFault.Code.NO_ASSIGNEE), codes);
    }

    @Test
    void whatIsNoListOfPartiesFailsClearly() {
        for (JsonValue wrong : List.of(
                JsonNumber.of(7),
                JsonObject.builder().put("group", "x").build(),
                JsonObject.builder().put("user", 1).build(),
                JsonObject.EMPTY,
                new JsonString("x".repeat(201)))) {
            Story story = Story.of(Asks.flow(Asks.by("ask", new JsonString("{{trigger.who}}"))));
            story.start(Map.of(
                    "trigger", Payload.of(JsonObject.builder().put("who", wrong).build())));

            assertEquals(
                    "INVALID_ASSIGNEES",
                    story.all(EventBody.TaskFailed.class).getFirst().error().code());
        }
    }

    @Test
    void aRuleThatCannotBeRenderedFailsTheTask() {
        Story story = asked(Asks.by("ask", new JsonString("{{trigger.nobody.there}}")));

        assertEquals(
                "TEMPLATE_ERROR",
                story.all(EventBody.TaskFailed.class).getFirst().error().code());
    }

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
    void aClaimKeepsOthersOutOfItsPlaceUntilItEnds() {
        Story story = asked(Asks.of("ask", "role:cfo", "zoe").quorum(new Quorum.Count(2)))
                .by("ann")
                .accepted(claim("ask#1", HOUR, "cfo"));
        assertEquals(List.of("TaskClaimed", "TimerSet"), story.lastKinds());

        story.by("bob")
                .rejected(RejectionCode.CONFLICT, claim("ask#1", HOUR, "cfo"))
                .rejected(RejectionCode.CONFLICT, decide("ask#1", APPROVED, "cfo"))
                .by("zoe")
                .accepted(decide("ask#1", APPROVED))
                .later(HOUR)
                .fire("ask#1/claim", 1);

        assertNull(task(story).claim());
        assertEquals(
                HumanEvent.Release.EXPIRED,
                story.all(HumanEvent.ClaimReleased.class).getFirst().reason());
        story.by("bob").accepted(decide("ask#1", APPROVED, "cfo"));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aHeartbeatVoidsTheOldEndOfTheLease() {
        Story story = asked(Asks.of("ask", "ann"))
                .by("ann")
                .accepted(claim("ask#1", HOUR))
                .later(Duration.ofMinutes(50))
                .accepted(new HumanCommand.Heartbeat(ASK, HOUR));

        story.rejected(RejectionCode.INVALID_STATE, new Command.FireTimer(new TimerId("ask#1/claim"), 1));
        assertEquals(
                Story.BIRTH.plus(Duration.ofMinutes(110)),
                Optional.ofNullable(task(story).claim()).orElseThrow().expiresAt());
        story.by("bob").rejected(RejectionCode.CONFLICT, new HumanCommand.Heartbeat(ASK, HOUR));
    }

    @Test
    void aClaimIsGivenBack() {
        Story story = asked(Asks.of("ask", "ann"))
                .by("ann")
                .rejected(RejectionCode.INVALID_STATE, new HumanCommand.Heartbeat(ASK, HOUR))
                .ignored(new HumanCommand.Release(ASK, false))
                .accepted(claim("ask#1", HOUR))
                .by("bob")
                .rejected(RejectionCode.CONFLICT, new HumanCommand.Release(ASK, false))
                .by("ann")
                .accepted(new HumanCommand.Release(ASK, false));
        assertEquals(List.of("ClaimReleased", "TimerCanceled"), story.lastKinds());

        story.accepted(claim("ask#1", HOUR)).by("boss").accepted(new HumanCommand.Release(ASK, true));
        assertEquals(List.of(), story.state().timers());
    }

    @Test
    void aLeaseLastsMoreThanNothingAndLessThanForEver() {
        asked(Asks.of("ask", "ann"))
                .by("ann")
                .rejected(RejectionCode.INVALID_COMMAND, claim("ask#1", Duration.ZERO))
                .rejected(RejectionCode.INVALID_COMMAND, claim("ask#1", Duration.ofDays(367)))
                .by("eve")
                .rejected(RejectionCode.NOT_ASSIGNED, claim("ask#1", HOUR));
    }

    @Test
    void whoeverDecidesGivesTheClaimBack() {
        Story story = asked(Asks.of("ask", "ann", "bob").quorum(new Quorum.All()))
                .by("ann")
                .accepted(claim("ask#1", HOUR))
                .accepted(decide("ask#1", APPROVED));

        assertEquals(List.of("HumanDecided", "ClaimReleased", "TimerCanceled"), story.lastKinds());
        story.rejected(RejectionCode.CONFLICT, claim("ask#1", HOUR));
    }

    @Test
    void case12WhoeverIsReassignedLosesTheTaskAndTheClaim() {
        Story story = asked(Asks.of("ask", "ann"))
                .by("ann")
                .accepted(claim("ask#1", HOUR))
                .by("boss")
                .accepted(reassign(Party.user("ann"), Party.user("bob")));
        assertEquals(List.of("TaskReassigned", "ClaimReleased", "TimerCanceled"), story.lastKinds());

        story.by("ann")
                .rejected(RejectionCode.NOT_ASSIGNED, decide("ask#1", APPROVED))
                .rejected(RejectionCode.NOT_ASSIGNED, claim("ask#1", HOUR))
                .by("bob")
                .accepted(decide("ask#1", APPROVED));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void reassigningKeepsWhatWasDecidedAndRefusesWhatCouldNotEnd() {
        Story story = asked(Asks.of("ask", "ann", "bob", "cem").quorum(new Quorum.All()))
                .by("ann")
                .accepted(decide("ask#1", APPROVED))
                .rejected(RejectionCode.CONFLICT, reassign(Party.user("ann"), Party.user("dan")))
                .rejected(RejectionCode.CONFLICT, reassign(Party.user("bob"), Party.user("cem")))
                .rejected(RejectionCode.CONFLICT, reassign(Party.user("bob"), Party.user("ann")))
                .rejected(RejectionCode.NOT_FOUND, reassign(Party.user("eve"), Party.user("dan")))
                .rejected(RejectionCode.INVALID_COMMAND, reassign(Party.user("bob")))
                .accepted(new HumanCommand.Reassign(ASK, Optional.empty(), List.of(Party.user("dan")), "all ill"));

        assertEquals(List.of(Party.user("ann"), Party.user("dan")), parties(story));
        story.by("dan").accepted(decide("ask#1", APPROVED));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aDelegationKeepsItsChainAndRefusesCircles() {
        Story story = asked(Asks.of("ask", "ann", "zoe").quorum(new Quorum.All()))
                .by("eve")
                .rejected(RejectionCode.NOT_ASSIGNED, delegate("ann", "bob"))
                .by("ann")
                .rejected(RejectionCode.CONFLICT, delegate("ann", "zoe"))
                .rejected(RejectionCode.INVALID_COMMAND, delegate("ann", "ann"))
                .accepted(delegate("ann", "bob"))
                .rejected(RejectionCode.NOT_FOUND, delegate("ann", "cem"))
                .rejected(RejectionCode.NOT_ASSIGNED, decide("ask#1", APPROVED))
                .by("bob")
                .accepted(delegate("bob", "cem"))
                .by("cem")
                .rejected(RejectionCode.INVALID_COMMAND, delegate("cem", "ann"))
                .rejected(RejectionCode.INVALID_COMMAND, delegate("cem", "bob"));

        assertEquals(
                new Assignee(Party.user("cem"), List.of(Party.user("ann"), Party.user("bob"))),
                task(story).assignees().getFirst());
        story.accepted(decide("ask#1", APPROVED));
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

    @Test
    void remindersRemindEscalateAndResolve() {
        Asks asks = Asks.of("ask", "ann", "bob")
                .quorum(new Quorum.All())
                .remind("soon", "PT1H", new Reminder.Action.Remind())
                .remind("boss", "PT2H", escalate(false, "max"))
                .remind("other", "PT3H", escalate(true, "eve", "max"))
                .remind("end", "PT4H", new Reminder.Action.Resolve(REJECTED));
        Story story = asked(asks);
        assertEquals(
                List.of("ask#1/soon", "ask#1/boss", "ask#1/other", "ask#1/end"),
                story.state().humanTasks().getFirst().due().stream()
                        .map(timer -> timer.timer().value())
                        .toList());

        story.by("ann").accepted(decide("ask#1", APPROVED));
        story.later(HOUR).fire("ask#1/soon", 1);
        assertEquals(List.of("TimerFired", "TaskReminded"), story.lastKinds());
        story.later(HOUR).fire("ask#1/boss", 1);
        assertEquals(List.of(Party.user("ann"), Party.user("bob"), Party.user("max")), parties(story));
        story.later(HOUR).fire("ask#1/other", 1);
        assertEquals(List.of(Party.user("ann"), Party.user("eve"), Party.user("max")), parties(story));
        story.by("bob").rejected(RejectionCode.NOT_ASSIGNED, decide("ask#1", APPROVED));
        story.later(HOUR).fire("ask#1/end", 1);
        assertEquals(
                REJECTED,
                story.all(HumanEvent.HumanTaskSettled.class).getFirst().outcome());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    private static Reminder.Action.Escalate escalate(boolean replace, String... users) {
        return new Reminder.Action.Escalate(
                new JsonArray(
                        Arrays.stream(users).<JsonValue>map(JsonString::new).toList()),
                replace);
    }

    @Test
    void anEscalationThatFindsNobodyLeavesThoseWhoAreAsked() {
        Story story = asked(Asks.of("ask", "ann")
                        .remind("a", "PT1H", new Reminder.Action.Escalate(JsonArray.EMPTY, true))
                        .remind("b", "PT2H", new Reminder.Action.Escalate(new JsonString("{{nowhere}}"), true)))
                .later(HOUR)
                .fire("ask#1/a", 1)
                .later(HOUR)
                .fire("ask#1/b", 1);

        assertEquals(
                List.of("NO_ASSIGNEE", "TEMPLATE_ERROR"),
                story.all(HumanEvent.ReminderFailed.class).stream()
                        .map(failed -> failed.error().code())
                        .toList());
        assertEquals(List.of(Party.user("ann")), parties(story));
    }

    @Test
    void nothingIsLeftBehindWhenItIsDecided() {
        Story story = asked(Asks.of("ask", "ann").remind("soon", "PT1H", new Reminder.Action.Remind()))
                .by("ann")
                .accepted(claim("ask#1", HOUR))
                .accepted(decide("ask#1", APPROVED));

        assertEquals(List.of(), story.state().timers());
        assertEquals(List.of(), story.state().humanTasks());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void nothingIsLeftBehindWhenItIsCanceled() {
        Story story = Story.of(Programs.dag()
                        .node(Asks.of("ask", "ann").remind("soon", "PT1H", new Reminder.Action.Remind()))
                        .task("other")
                        .edge("start", "ask")
                        .edge("start", "other"))
                .start()
                .by("ann")
                .accepted(claim("ask#1", HOUR))
                .failForGood("other");

        assertEquals(List.of(), story.state().timers());
        assertEquals(List.of(), story.state().humanTasks());
        assertEquals(RunStatus.FAILED, story.status());
        story.rejected(RejectionCode.CONFLICT, decide("ask#1", APPROVED));
    }

    /** cases.md 10 */
    @Test
    void case10AHumanStepThatIsSkippedByItsConditionLeavesNoWaitBehind() {
        Story story = Story.of(Programs.dag()
                        .node(Asks.of("ask", "ann").remind("soon", "PT1H", new Reminder.Action.Remind()))
                        .task("after")
                        .edge("start", "ask", "false")
                        .edge("start", "after")
                        .on(APPROVED, "ask", "after"))
                .start();

        assertEquals(List.of(), story.state().humanTasks());
        assertEquals(List.of(), story.state().timers());
        story.ok("after");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** cases.md 11 */
    @Test
    void case11ApprovalsInParallelArmsKeepTheRunOpenUntilEachIsDecided() {
        Story story = Story.of(Programs.dag()
                        .node(Asks.of("left", "ann"))
                        .node(Asks.of("right", "bob"))
                        .task("after")
                        .edge("start", "left")
                        .edge("start", "right")
                        .on(APPROVED, "left", "after")
                        .on(APPROVED, "right", "after"))
                .start()
                .by("ann")
                .accepted(decide("left#1", APPROVED));

        assertEquals(RunStatus.RUNNING, story.status());
        assertEquals(List.of(), story.open());
        assertEquals(1, story.state().humanTasks().size());
        story.by("bob").accepted(decide("right#1", APPROVED));
        assertEquals(List.of("after"), story.open());
    }

    /** cases.md 7 */
    @Test
    void case7TwoHundredParallelApprovalsOfOneRunAllSucceed() {
        Programs program = Programs.dag().task("after");
        for (int i = 0; i < 200; i++) {
            program.node(Asks.of("ask" + i, "u" + i)).edge("start", "ask" + i).on(APPROVED, "ask" + i, "after");
        }
        Story story = Story.unchecked(program.build(), Bounds.DEFAULT).start();
        for (int i = 199; i >= 0; i--) {
            story.by("u" + i).accepted(decide("ask" + i + "#1", APPROVED)).ignored(decide("ask" + i + "#1", APPROVED));
        }

        assertEquals(List.of("after"), story.open());
    }
}
