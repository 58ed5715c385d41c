package dev.flowstone.kernel.story;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Scope;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Histories of runs that operators took a hand in, for the golden files. */
final class ControlHistories {
    static final Map<String, Supplier<Story>> STORIES = new TreeMap<>(Map.of(
            "suspended-and-resumed", ControlHistories::suspended,
            "drained", ControlHistories::drained,
            "canceled-and-undone", ControlHistories::canceled,
            "undone-after-failure", ControlHistories::undone,
            "rolled-back", ControlHistories::rolledBack,
            "killed", ControlHistories::killed,
            "incidents-resolved", ControlHistories::resolved,
            "migrated", ControlHistories::migrated,
            "migrated-and-back", ControlHistories::movedAndBack,
            "reset-from", ControlHistories::reset));

    static {
        STORIES.put("held-drained-and-released", ControlHistories::held);
        STORIES.put("slept-through-a-hold", ControlHistories::slept);
        STORIES.put("born-held-and-waived", ControlHistories::waived);
        STORIES.put("undone-around-a-failed-branch", ControlHistories::undoneAround);
    }

    private ControlHistories() {}

    private static Programs trip() {
        return Programs.flow()
                .undoable("a")
                .attested("b")
                .undoable("c", new Retry(2, Duration.ofSeconds(1), 2, Duration.ofMinutes(1), false), JsonNumber.of(1))
                .strictTask("d")
                .end("end")
                .chain("start", "a", "b", "c", "d", "end");
    }

    private static Story suspended() {
        return Story.of(Programs.dag()
                        .tasks("a", "b")
                        .timer("t", "PT1H")
                        .timer("u", "PT1H")
                        .edge("start", "a")
                        .edge("start", "t")
                        .edge("start", "u")
                        .edge("a", "b"))
                .start()
                .later(Duration.ofMinutes(10))
                .accepted(new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run"))
                .ok("a", 1)
                .ok("a", 2)
                .answer("a", Story.failed(dev.flowstone.kernel.command.FailureClass.EXTERNAL_LIMIT))
                .later(Duration.ofDays(1))
                .accepted(new ControlCommand.ResumeRun("done"))
                .accepted(new ControlCommand.ForceFireTimer(new TimerId("t#1")))
                .accepted(new ControlCommand.SuspendRun(SuspendStoryTest.CATCH_UP, "audit", "tenant/acme"))
                .fire("u#1", 2);
    }

    private static Story drained() {
        return Story.of(Programs.dag()
                        .tasks("a", "b")
                        .timer("t", "PT1H")
                        .chain("start", "a", "b")
                        .edge("start", "t"))
                .start()
                .accepted(SuspendStoryTest.DRAIN)
                .ok("a")
                .accepted(SuspendStoryTest.RESUME)
                .accepted(SuspendStoryTest.DRAIN)
                .ok("b");
    }

    private static Story held() {
        return Story.of(Programs.dag()
                        .tasks("a", "b")
                        .timer("t", "PT1H")
                        .chain("start", "a", "b")
                        .edge("start", "t"))
                .start()
                .accepted(WideHolds.heed(WideHolds.drain(1, 0)))
                .ok("a")
                .later(Duration.ofMinutes(20))
                .accepted(WideHolds.heed(WideHolds.go(2, 15)))
                .accepted(WideHolds.heed(WideHolds.suspend(3, 18)))
                .ok("b")
                .fire("hold", 4);
    }

    private static Story slept() {
        return Story.of(Programs.dag().timer("t", "PT1H").edge("start", "t"))
                .start()
                .later(Duration.ofHours(1))
                .accepted(WideHolds.heed(WideHolds.suspend(1, 20), WideHolds.go(2, 50)))
                .later(Duration.ofMinutes(30))
                .fire("t#1", 2);
    }

    private static Story waived() {
        Story story = Story.of(Programs.dag().tasks("a").edge("start", "a").deadline(Duration.ofHours(1)));
        story.with(story.env().bornUnder(Optional.of(WideHolds.suspend(3, 0))))
                .start()
                .later(Duration.ofMinutes(10))
                .accepted(SuspendStoryTest.SUSPEND)
                .accepted(SuspendStoryTest.RESUME);
        return story;
    }

    private static Story canceled() {
        Story story = Story.of(trip())
                .start()
                .ok("a", 1)
                .ok("b", 2)
                .ok("c", 3)
                .accepted(new ControlCommand.CancelRun(
                        "amended", ControlCommand.Undo.RUN, Optional.of(RunId.of(Story.BIRTH, new Slot(8), 43))))
                .ok("d")
                .fail("c#-1")
                .fire("c#-1/retry", 1)
                .answer("c#-1", new TaskAnswer.TimedOut());
        return story.accepted(new HumanCommand.Attest("c#-1", "refunded by hand"))
                .accepted(new HumanCommand.Attest("b#-1", "told them"))
                .ok("a#-1");
    }

    private static Story undone() {
        return Story.of(trip().onFailure(Scope.FailurePolicy.COMPENSATE))
                .start()
                .ok("a", 1)
                .failForGood("b")
                .answer("a#-1", new TaskAnswer.Skipped("nothing to undo"));
    }

    private static Story undoneAround() {
        return Story.of(ControlForkTest.around(Scope.FailurePolicy.COMPENSATE, Scope.FailurePolicy.FAIL))
                .start()
                .ok("a", 1)
                .ok("b", 2)
                .ok("c", 3)
                .failForGood("d")
                .ok("c#-1")
                .ok("b#-1")
                .ok("a#-1");
    }

    private static Story rolledBack() {
        return Story.of(trip())
                .start()
                .ok("a", 1)
                .ok("b", 2)
                .ok("c", 3)
                .accepted(new ControlCommand.RollBack(new NodeId("c"), "again"))
                .answer("d", new TaskAnswer.Lost())
                .ok("c#-1");
    }

    private static Story killed() {
        return Story.of(trip())
                .start()
                .ok("a", 1)
                .ok("b", 2)
                .ok("c", 3)
                .accepted(CompensationStoryTest.CANCEL)
                .ok("d")
                .accepted(new ControlCommand.TerminateRun("now"));
    }

    private static Story resolved() {
        Story story = Story.of(Programs.flow()
                        .onFailure(Scope.FailurePolicy.PARK)
                        .strictTask("a")
                        .end("end")
                        .chain("start", "a", "end"))
                .start()
                .failForGood("a");
        story.accepted(new ControlCommand.RetryIncident(
                story.state().incidents().getFirst().sequence(), Optional.of(Payload.of(JsonNumber.of(2)))));
        story.failForGood("a");
        return story.accepted(new ControlCommand.SkipIncident(
                story.state().incidents().getFirst().sequence(), Payload.of(JsonNumber.of(9))));
    }

    private static Story migrated() {
        Story story = Story.of(Programs.flow()
                        .undoable("a")
                        .timer("wait", "PT1H")
                        .end("end")
                        .chain("start", "a", "wait", "end"))
                .start()
                .ok("a");
        Program other = Programs.flow()
                .undoable("a")
                .timer("pause", "PT1H")
                .strictTask("extra")
                .end("end")
                .chain("start", "a", "pause", "extra", "end")
                .build();
        return story.accepted(new ControlCommand.MigrateRun(
                        story.knowing(other), 4, Map.of(new NodeId("wait"), new NodeId("pause"))))
                .fire("pause#1", 1);
    }

    private static Story movedAndBack() {
        Story story = Story.of(round("a")).start().ok("a", 1);
        Program other = round("b");
        story.accepted(new ControlCommand.MigrateRun(story.knowing(other), 2, Map.of()))
                .fire("wait#1", 1)
                .ok("b", 2);
        return story.accepted(new ControlCommand.MigrateRun(story.knowing(round("a")), 1, Map.of()))
                .fire("wait#2", 1)
                .ok("a", 3);
    }

    private static Program round(String task) {
        return Programs.flow()
                .task(task)
                .timer("wait", "PT1H")
                .chain("start", task, "wait", task)
                .build();
    }

    private static Story reset() {
        Story old = Story.of(Programs.dag()
                        .tasks("a", "b")
                        .timer("t", "PT1H")
                        .chain("start", "a", "b")
                        .edge("start", "t"))
                .start()
                .ok("a", 5);
        return Story.of(old.program())
                .accepted(new ControlCommand.StartFrom(
                        new TenantId("acme"),
                        RunId.of(Story.BIRTH, new Slot(9), 77),
                        3,
                        old.state().run(),
                        old.state().lastSequence(),
                        old.state().toJson()))
                .ok("b");
    }
}
