package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.kernel.state.HumanDecision;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** R13 and R25 together: people and suspended runs. */
final class ControlPeopleTest {
    private static final ActivationId ASK = ActivationId.parse("ask#1");
    private static final Command SUSPEND = new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run");
    private static final Command RESUME = new ControlCommand.ResumeRun("done");

    private static Asks both() {
        return Asks.of("ask", "ann", "bob").quorum(new Quorum.All());
    }

    private static List<String> decided(Story story) {
        return story.state().humanTask(ASK).orElseThrow().task().decisions().stream()
                .map(HumanDecision::actor)
                .map(Object::toString)
                .toList();
    }

    /** Who resumes the run has not decided anything. */
    @Test
    void bufferedDecisionsAreThoseOfWhoMadeThem() {
        Story story = Story.of(Asks.flow(both())).start().accepted(SUSPEND);
        story.by("ann").accepted(Asks.decide("ask#1", Asks.APPROVED));
        assertEquals(List.of("InputBuffered"), story.lastKinds());

        story.by("root").restored().accepted(RESUME);
        assertEquals(List.of("user:ann"), decided(story));
        // In an entry of its own it is the header's again.
        story.by("bob").accepted(Asks.decide("ask#1", Asks.APPROVED));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void everythingThatPeopleDoWaitsInItsOrder() {
        Story story = Story.of(Asks.flow(both())).start().accepted(SUSPEND);
        Map<String, JsonValue> values = Map.of("v", JsonNumber.of(1));
        story.by("ann")
                .accepted(new HumanCommand.Claim(ASK, Set.of(), Duration.ofHours(1), false))
                .accepted(new HumanCommand.Heartbeat(ASK, Duration.ofHours(2)))
                .accepted(new HumanCommand.Release(ASK, false))
                .accepted(new HumanCommand.Delegate(ASK, Party.user("ann"), Party.user("cid"), Set.of(), false, "away"))
                .accepted(new HumanCommand.Reassign(
                        ASK, Optional.of(Party.user("bob")), List.of(Party.user("dan")), "ill"))
                .accepted(new DataCommand.SetVariables(values, "for them"))
                .accepted(new DataCommand.SubjectChanged(3, true))
                .accepted(new HumanCommand.Resolve(ASK, Asks.REJECTED, "enough"));
        assertEquals(8, story.state().buffered());
        assertEquals(JsonObject.EMPTY, story.state().variables());

        story.by("root").restored().accepted(RESUME);

        assertEquals(List.of(), story.all(ControlEvent.BufferedInputRefused.class), story.tale());
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(
                List.of(
                        "TaskClaimed",
                        "TaskClaimed",
                        "ClaimReleased",
                        "TaskDelegated",
                        "TaskReassigned",
                        "VariablesSet",
                        "SubjectChanged",
                        "HumanTaskSettled"),
                story.lastKinds().stream()
                        .filter(kind -> kind.startsWith("Task")
                                || kind.startsWith("Claim")
                                || kind.startsWith("Variables")
                                || kind.startsWith("Subject")
                                || kind.startsWith("HumanTask"))
                        .toList());
    }

    @Test
    void aPolicyMayRefuseWhatCallersSay() {
        Story story = Story.of(Asks.flow(both()))
                .start()
                .accepted(new ControlCommand.SuspendRun(
                        new HoldPolicy(HoldPolicy.TimerRule.FREEZE, HoldPolicy.InputRule.REJECT), "audit", "run"));
        story.by("ann").rejected(RejectionCode.SUSPENDED, Asks.decide("ask#1", Asks.APPROVED));
    }

    /** Reminders and leases stand still with the run, and no generation of theirs comes back. */
    @Test
    void remindersAndLeasesStandStill() {
        Asks asks = both().remind("late", "PT10H", new Reminder.Action.Remind());
        Story story = Story.of(Asks.flow(asks)).start().by("ann");
        story.accepted(new HumanCommand.Claim(ASK, Set.of(), Duration.ofHours(1), false));
        story.later(Duration.ofMinutes(30)).accepted(SUSPEND);
        assertEquals(List.of(), story.state().timers());

        story.later(Duration.ofDays(9)).restored().accepted(RESUME);
        Instant now = Story.BIRTH.plus(Duration.ofDays(9)).plus(Duration.ofMinutes(30));
        assertEquals(
                now.plus(Duration.ofMinutes(30)), timer(story, "ask#1/claim").dueAt());
        assertEquals(
                now.plus(Duration.ofHours(9)).plus(Duration.ofMinutes(30)),
                timer(story, "ask#1/late").dueAt());

        story.accepted(new HumanCommand.Heartbeat(ASK, Duration.ofHours(1)));
        assertEquals(3, timer(story, "ask#1/claim").generation());
        story.rejected(RejectionCode.INVALID_STATE, new Command.FireTimer(new TimerId("ask#1/claim"), 2));
        story.fire("ask#1/late", 2);
        assertEquals(1, story.all(HumanEvent.TaskReminded.class).size());
    }

    private static TimerState timer(Story story, String name) {
        return story.state().timers().stream()
                .filter(timer -> timer.timer().value().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nobodyIsAskedWhileTheRunDrains() {
        Story story = Story.of(Programs.flow()
                        .strictTask("a")
                        .node(both())
                        .end("end")
                        .chain("start", "a", "ask")
                        .on(Asks.APPROVED, "ask", "end")
                        .on(Asks.REJECTED, "ask", "end"))
                .start()
                .accepted(new ControlCommand.DrainRun(HoldPolicy.DEFAULT, Duration.ofHours(1), "upgrade", "run"))
                .ok("a");
        assertEquals(List.of(), story.state().humanTasks());
        assertTrue(story.lastKinds().contains("ActivationParked"), story.tale());

        story.restored().accepted(RESUME);
        assertEquals(1, story.state().humanTasks().size());
    }

    @Test
    void aCanceledRunAsksNobodyAnyMore() {
        Asks asks = both().remind("late", "PT10H", new Reminder.Action.Remind());
        Story story = Story.of(Asks.flow(asks)).start().by("ann");
        story.accepted(new HumanCommand.Claim(ASK, Set.of(), Duration.ofHours(1), false));
        story.accepted(new ControlCommand.TerminateRun("now"));
        assertEquals(RunStatus.TERMINATED, story.status());
    }
}
