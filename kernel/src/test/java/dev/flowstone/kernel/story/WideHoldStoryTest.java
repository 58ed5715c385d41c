package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.WideHolds.REJECT;
import static dev.flowstone.kernel.story.WideHolds.go;
import static dev.flowstone.kernel.story.WideHolds.heed;
import static dev.flowstone.kernel.story.WideHolds.minute;
import static dev.flowstone.kernel.story.WideHolds.suspend;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.state.Suspension;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R25: what holds a workflow, a tenant or the system holds its runs, as if each had been told at once. */
final class WideHoldStoryTest {
    static final TimerId T = new TimerId("t#1");

    @Test
    void timersStandStillFromTheSettingOnHoweverLateItIsRecorded() {
        Story story = waiting().later(Duration.ofMinutes(50));

        story.accepted(heed(suspend(4, 20))).restored().later(Duration.ofMinutes(10));

        assertEquals(List.of("HoldImposed", "TimerFrozen", "TimerCanceled", "TimerSet"), story.lastKinds());
        assertEquals(Hold.SUSPENDED, story.state().hold());
        assertEquals(4, story.state().heeded());
        assertEquals(List.of("hold"), timers(story));
        assertEquals(Times.LAST, timer(story, "hold").dueAt());
        assertEquals(EventBody.TimerPurpose.HOLD, timer(story, "hold").purpose());
        story.rejected(RejectionCode.NOT_FOUND, new Command.FireTimer(T, 1));
        story.accepted(heed(go(5, 55)));
        assertEquals(List.of("HoldLifted", "TimerSet", "TimerCanceled"), story.lastKinds());
        assertEquals(minute(55 + 40), timer(story, "t#1").dueAt());
        assertEquals(List.of("t#1"), timers(story));
        story.fire("t#1", 2);
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aRunThatSleptThroughTheWholeTimeGoesOnAsIfItHadBeenAwake() {
        Story story = waiting().later(Duration.ofMinutes(60));

        story.accepted(heed(suspend(1, 20), go(2, 50)));

        story.rejected(RejectionCode.INVALID_STATE, new Command.FireTimer(T, 1));
        assertEquals(Hold.NONE, story.state().hold());
        assertEquals(minute(90), timer(story, "t#1").dueAt());
        assertEquals(2, timer(story, "t#1").generation());
        assertEquals(List.of("t#1"), timers(story));
        assertEquals(2, story.state().heeded());
    }

    @Test
    void nothingStandsStillBeforeTheLastThingThatHappened() {
        Story story = Story.of(Programs.dag()
                        .timer("t", "PT1H")
                        .tasks("a", "b")
                        .edge("start", "t")
                        .chain("start", "a", "b"))
                .start()
                .later(Duration.ofMinutes(30))
                .ok("a");

        story.later(Duration.ofMinutes(20)).accepted(heed(suspend(1, 10), go(2, 40)));

        assertEquals(minute(70), timer(story, "t#1").dueAt());
    }

    @Test
    void timersMayCatchUpInstead() {
        Story story = waiting().accepted(heed(suspend(1, 0, SuspendStoryTest.CATCH_UP)));
        assertEquals(List.of("hold", "t#1"), timers(story));

        story.later(Duration.ofHours(2)).fire("t#1", 1);
        assertEquals(List.of("TimerFrozen", "TimerCanceled"), story.lastKinds());
        story.accepted(heed(go(2, 180)));

        assertEquals(minute(180), timer(story, "t#1").dueAt());
    }

    @Test
    void timersThatRanStandStillWhenTheWiderPolicyBecomesFreeze() {
        Story story = waiting().accepted(heed(suspend(1, 0, SuspendStoryTest.CATCH_UP)));
        story.later(Duration.ofMinutes(30)).accepted(heed(suspend(2, 20)));

        assertEquals(List.of("HoldImposed", "TimerFrozen", "TimerCanceled"), story.lastKinds());
        story.accepted(heed(go(3, 100)));
        assertEquals(minute(140), timer(story, "t#1").dueAt());
    }

    @Test
    void callersMayBeRefusedButNoAnswersOfWork() {
        Story story = working().accepted(heed(suspend(1, 0, REJECT)));
        story.rejected(RejectionCode.SUSPENDED, new DataCommand.SetVariables(Map.of(), "mine"));
        story.ok("a");
        assertEquals(1, story.state().buffered());
        story.accepted(heed(go(2, 1)));
        assertEquals(List.of("b"), story.open());
    }

    @Test
    void whatWasBufferedIsAppliedInItsOrderWhenTheScopeIsLetGo() {
        Story story = Story.of(Programs.dag()
                        .tasks("a", "b", "c")
                        .edge("start", "a")
                        .edge("start", "b")
                        .edge("a", "c"))
                .start()
                .accepted(heed(suspend(1, 0)))
                .ok("b")
                .ok("a");
        assertEquals(2, story.state().buffered());
        assertFalse(story.state().continues());

        story.accepted(heed(go(2, 1)));

        assertEquals(
                List.of("b#1", "a#1"),
                story.all(EventBody.TaskCompleted.class).stream()
                        .map(done -> done.activation().toString())
                        .toList());
        assertEquals(List.of("c"), story.open());
    }

    @Test
    void theRunsOwnSuspensionCountsBeforeThatOfItsTenant() {
        Story story = waiting().accepted(SuspendStoryTest.SUSPEND).accepted(heed(suspend(1, 0)));
        assertEquals(Optional.of("run"), story.state().suspension().map(Suspension::scope));

        story.accepted(heed(go(2, 10)));
        assertEquals(List.of("HoldLifted", "TimerCanceled"), story.lastKinds());
        assertEquals(Hold.SUSPENDED, story.state().hold());
        story.later(Duration.ofMinutes(30)).restored().accepted(SuspendStoryTest.RESUME);

        assertEquals(Hold.NONE, story.state().hold());
        assertEquals(minute(90), timer(story, "t#1").dueAt());
    }

    @Test
    void anOperatorsResumeCountsForTheRunInASuspendedTenantUntilALaterSetting() {
        Story story = waiting()
                .accepted(heed(suspend(1, 0)))
                .accepted(SuspendStoryTest.SUSPEND)
                .later(Duration.ofMinutes(10))
                .accepted(SuspendStoryTest.RESUME);
        assertEquals(List.of("RunResumed", "HoldWaived", "TimerCanceled", "TimerSet"), story.lastKinds());
        assertEquals(Hold.NONE, story.state().hold());
        assertEquals(List.of("t#1"), timers(story));
        story.restored().ignored(heed(suspend(1, 0))).ignored(SuspendStoryTest.RESUME);

        story.accepted(heed(suspend(2, 11)));

        assertEquals(Hold.SUSPENDED, story.state().hold());
        assertEquals(List.of("hold"), timers(story));
    }

    @Test
    void aRunIsBornHeldInASuspendedScope() {
        Story story = Story.of(Programs.dag().tasks("a").edge("start", "a").deadline(Duration.ofHours(1)));
        born(story, suspend(3, -5)).start();

        assertEquals(
                List.of("RunStarted", "TimerSet", "HoldImposed", "TimerFrozen", "TimerCanceled", "TimerSet"),
                story.lastKinds());
        assertEquals(3, story.state().heeded());
        assertEquals(RunStatus.RUNNING, story.status());
        assertEquals(List.of(), story.open());
        story.ignored(heed(suspend(3, -5)));
        story.accepted(heed(go(4, 30)));
        assertEquals(List.of("a"), story.open());
        assertEquals(minute(90), timer(story, "deadline").dueAt());
    }

    @Test
    void aRunIsNotBornWhereInputIsRefused() {
        Story story = Story.of(Programs.dag().tasks("a").edge("start", "a"));
        born(story, suspend(3, -5, REJECT));
        story.rejected(RejectionCode.SUSPENDED, story.startCommand(Map.of()));
        assertEquals(List.of(), story.events());

        born(story, go(4, -1)).start();

        assertEquals(List.of("a"), story.open());
        assertEquals(0, story.state().heeded());
    }

    @Test
    void nothingHoldsUpACanceledRun() {
        Story story = Story.of(
                        Programs.flow().undoable("a").undoable("b").end("end").chain("start", "a", "b", "end"))
                .start()
                .ok("a", 1)
                .accepted(heed(suspend(1, 0)))
                .ok("b", 2)
                .accepted(new ControlCommand.CancelRun("enough", ControlCommand.Undo.RUN, Optional.empty()));
        assertEquals(Hold.NONE, story.state().hold());
        assertEquals(List.of(), timers(story));
        assertEquals(RunStatus.COMPENSATING, story.status());
        assertFalse(story.state().heeds());
        story.ignored(heed(suspend(2, 1)));
        story.ok("b#-1").ok("a#-1");
        assertEquals(RunStatus.CANCELED, story.status());
    }

    @Test
    void aHeldRunCanBeTerminated() {
        Story story = working().accepted(heed(suspend(1, 0))).accepted(new ControlCommand.TerminateRun("now"));
        assertEquals(RunStatus.TERMINATED, story.status());
    }

    @Test
    void whoeverLooksAfterAHeldRunLeavesItAsItIs() {
        Story story = working().accepted(heed(suspend(1, 0)));
        int generation = timer(story, "hold").generation();

        story.fire("hold", generation);

        assertEquals(List.of("TimerFired", "TimerSet"), story.lastKinds());
        assertEquals(generation + 1, timer(story, "hold").generation());
        assertEquals(Hold.SUSPENDED, story.state().hold());
        assertEquals(0, story.state().buffered());
    }

    @Test
    void whatWouldSetSomethingGoingIsRefusedWhileTheScopeIsHeld() {
        Story story = working().accepted(heed(suspend(1, 0)));
        story.rejected(RejectionCode.SUSPENDED, new ControlCommand.RollBack(new NodeId("a"), "again"));
        story.rejected(RejectionCode.SUSPENDED, new ControlCommand.RetryIncident(1, Optional.empty()));
        story.rejected(RejectionCode.SUSPENDED, new ControlCommand.ForceFireTimer(new TimerId("hold")));
    }

    @Test
    void aHeldRunMovesToAnotherProgramAndItsTimersGoOnThere() {
        Story story = Story.of(Programs.flow().timer("t", "PT1H").end("end").chain("start", "t", "end"))
                .start()
                .accepted(heed(suspend(1, 10)));
        Program other = Programs.flow()
                .timer("pause", "PT1H")
                .strictTask("extra")
                .end("end")
                .chain("start", "pause", "extra", "end")
                .build();
        story.accepted(
                new ControlCommand.MigrateRun(story.knowing(other), 4, Map.of(new NodeId("t"), new NodeId("pause"))));
        assertEquals(Hold.SUSPENDED, story.state().hold());

        story.accepted(heed(go(2, 30)));

        assertEquals(minute(80), timer(story, "pause#1").dueAt());
    }

    @Test
    void aRunThatGoesOnFromAHeldOneIsHeldByItsOwnBirthOnly() {
        Story old = working().accepted(heed(suspend(1, 0)));
        Story free = Story.of(old.program()).accepted(from(old));
        assertEquals(Hold.NONE, free.state().hold());
        assertEquals(0, free.state().heeded());
        assertEquals(List.of("a"), free.open());

        Story held = born(Story.of(old.program()), suspend(1, 0)).accepted(from(old));

        assertEquals(Hold.SUSPENDED, held.state().hold());
        assertEquals(List.of(), held.open());
        held.accepted(heed(go(2, 1)));
        assertEquals(List.of("a"), held.open());
    }

    @Test
    void settingsComeInTheOrderOfTheirNumbers() {
        assertThrows(IllegalArgumentException.class, () -> heed(go(2, 1), suspend(1, 0)));
    }

    @Test
    void theEventSaysWhatIsSetAndSinceWhen() {
        Story story = waiting().later(Duration.ofMinutes(5)).accepted(heed(suspend(7, 3)));
        ControlEvent.HoldImposed imposed =
                story.all(ControlEvent.HoldImposed.class).getFirst();
        assertEquals(Setting.Mode.SUSPEND, imposed.mode());
        assertEquals(7, imposed.number());
        assertEquals(minute(3), imposed.since());
        assertEquals("tenant/acme", imposed.scope());
        assertEquals(Optional.<Instant>empty(), imposed.expiresAt());
    }

    static Story waiting() {
        return Story.of(Programs.dag().timer("t", "PT1H").edge("start", "t")).start();
    }

    static Story working() {
        return Story.of(Programs.dag().tasks("a", "b").chain("start", "a", "b")).start();
    }

    static Story born(Story story, Setting setting) {
        return story.with(story.env().bornUnder(Optional.of(setting)));
    }

    static Command from(Story old) {
        return new ControlCommand.StartFrom(
                new TenantId("acme"),
                RunId.of(Story.BIRTH, new Slot(9), 77),
                3,
                old.state().run(),
                old.state().lastSequence(),
                old.state().toJson());
    }

    static List<String> timers(Story story) {
        return story.state().timers().stream().map(it -> it.timer().value()).toList();
    }

    static TimerState timer(Story story, String name) {
        return story.state().timers().stream()
                .filter(it -> it.timer().value().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no timer " + name + "\n" + story.tale()));
    }
}
