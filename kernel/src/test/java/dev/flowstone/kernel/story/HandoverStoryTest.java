package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.APPROVED;
import static dev.flowstone.kernel.story.Asks.ASK;
import static dev.flowstone.kernel.story.Asks.REJECTED;
import static dev.flowstone.kernel.story.Asks.asked;
import static dev.flowstone.kernel.story.Asks.claim;
import static dev.flowstone.kernel.story.Asks.decide;
import static dev.flowstone.kernel.story.Asks.parties;
import static dev.flowstone.kernel.story.Asks.task;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.kernel.state.Assignee;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** R13: a human task is handed over by reassignment, delegation and escalation, and its reminders. */
final class HandoverStoryTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static HumanCommand.Reassign reassign(Party from, Party... to) {
        return new HumanCommand.Reassign(ASK, Optional.of(from), List.of(to), "ill");
    }

    private static HumanCommand.Delegate delegate(String from, String to) {
        return new HumanCommand.Delegate(ASK, Party.user(from), Party.user(to), Set.of(), false, "away");
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
}
