package dev.flowstone.kernel.decision;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import dev.flowstone.kernel.story.WideHolds;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A run in every status, under every hold, and with its task {@code b} in every status: what tables of answers have as
 * lines. Unless it says otherwise a was done and can be undone, b is at work, t waits, and a failure of b waits for a
 * person.
 */
final class ControlSituations {
    private static final Map<String, Supplier<Story>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("unborn", () -> Story.of(program()));
        ALL.put("running", ControlSituations::running);
        ALL.put("parked", () -> running().failForGood("b"));
        ALL.put("b waits for retry", ControlSituations::retrying);
        ALL.put("b skipped", () -> running().answer("b", new TaskAnswer.Skipped("no need")));
        ALL.put("b lost", ControlSituations::lost);
        ALL.put("b ready", ControlSituations::ready);
        ALL.put("draining", () -> running().accepted(drain()));
        ALL.put("draining+parked", ControlSituations::drainingParked);
        ALL.put("suspended", () -> running().accepted(suspend()));
        ALL.put("suspended+parked", () -> running().failForGood("b").accepted(suspend()));
        ALL.put("suspended+buffered", () -> running().accepted(suspend()).answer("b", new TaskAnswer.Returned()));
        ALL.put("suspended, t runs", ControlSituations::timersRun);
        ALL.put("tenant suspended", () -> running().accepted(held()));
        ALL.put("tenant drains", () -> running().accepted(WideHolds.heed(WideHolds.drain(4, 0))));
        ALL.put("suspended twice", () -> running().accepted(held()).accepted(suspend()));
        ALL.put("waived", () -> running().accepted(held()).accepted(new ControlCommand.ResumeRun("go on")));
        ALL.put("catching up", ControlSituations::catchingUp);
        ALL.put("running flow", ControlSituations::flow);
        ALL.put("rolling back", () -> flow().accepted(rollBack()));
        ALL.put("failing", ControlSituations::failing);
        ALL.put("failing, suspended", () -> failing().accepted(suspend()));
        ALL.put("failed, undoing", () -> failing().answer("b", new TaskAnswer.TimedOut()));
        ALL.put("canceling", () -> running().accepted(cancel()));
        ALL.put("canceled, undoing", ControlSituations::undoing);
        ALL.put("attesting", () -> undoing().failForGood("a#-1"));
        ALL.put("terminating", ControlSituations::terminating);
        ALL.put("succeeded", () -> running().ok("b", 1).fire("t#1", 1));
        ALL.put("failed", () -> failing().answer("b", new TaskAnswer.TimedOut()).ok("a#-1", 1));
        ALL.put("canceled", () -> undoing().ok("a#-1", 1));
        ALL.put("terminated", () -> running().accepted(terminate()));
    }

    private ControlSituations() {}

    static Set<String> names() {
        return ALL.keySet();
    }

    /** A new run that has come there. */
    static Story of(String situation) {
        return requireNonNull(ALL.get(situation), situation).get();
    }

    private static Programs programs() {
        return Programs.dag()
                .onFailure(Scope.FailurePolicy.PARK)
                .undoable("a")
                .tasks("b")
                .timer("t", "PT1H")
                .edge("start", "a")
                .edge("a", "b")
                .edge("start", "t");
    }

    private static Program program() {
        return programs().deadline(Duration.ofHours(9)).build();
    }

    /** What a run may move to: its own program with another task behind b. */
    static Program next(Story story) {
        boolean flow = story.program().root().kind() == Scope.Kind.FLOW;
        Programs next =
                flow ? flowOf("a", "b", "later") : programs().task("later").edge("b", "later");
        if (story.program().nodes().stream().anyMatch(node -> node.id().value().equals("c"))) {
            next.task("c").edge("start", "c");
        }
        return next.build();
    }

    private static Story running() {
        return Story.of(program()).start().ok("a", 1);
    }

    /** Its first attempt has failed and the second is not out yet. */
    private static Story retrying() {
        return Story.of(Programs.dag()
                        .onFailure(Scope.FailurePolicy.PARK)
                        .undoable("a")
                        .task("b", new Retry(2, Duration.ofHours(1), 1, Duration.ofHours(1), false))
                        .timer("t", "PT1H")
                        .edge("start", "a")
                        .edge("a", "b")
                        .edge("start", "t")
                        .deadline(Duration.ofHours(9))
                        .build())
                .start()
                .ok("a", 1)
                .fail("b");
    }

    /** It was under way when another branch won, and the run goes on (R12). */
    private static Story lost() {
        return Story.of(Programs.dag()
                        .onFailure(Scope.FailurePolicy.PARK)
                        .undoable("a")
                        .timer("t", "PT1H")
                        .fork("race", "won", "left", "right")
                        .join("won", new JoinPolicy.Count(1, Set.of()), Node.Join.Losers.CANCEL)
                        .edge("start", "a")
                        .edge("a", "race")
                        .edge("start", "t")
                        .deadline(Duration.ofHours(9))
                        .branch("left", "race", "b")
                        .strictTask("b")
                        .edge("b", "won")
                        .branch("right", "race", "quick")
                        .strictTask("quick")
                        .edge("quick", "won")
                        .build())
                .start()
                .ok("a", 1)
                .ok("quick", 1);
    }

    /** It was come to while the run drained, so it has not begun; c is at work, or the run would stand still. */
    private static Story ready() {
        return Story.of(programs()
                        .deadline(Duration.ofHours(9))
                        .task("c")
                        .edge("start", "c")
                        .build())
                .start()
                .accepted(drain())
                .ok("a", 1);
    }

    /** Something else is at work, or there would be nothing to wait for. */
    private static Story drainingParked() {
        return Story.of(programs()
                        .deadline(Duration.ofHours(9))
                        .task("c")
                        .edge("start", "c")
                        .build())
                .start()
                .ok("a", 1)
                .accepted(drain())
                .failForGood("b");
    }

    private static Story timersRun() {
        HoldPolicy catchUp = new HoldPolicy(HoldPolicy.TimerRule.CATCH_UP, HoldPolicy.InputRule.BUFFER);
        return running().accepted(new ControlCommand.SuspendRun(catchUp, "audit", "run"));
    }

    /** One input was kept and has not had its turn. */
    private static Story catchingUp() {
        return Story.of(program())
                .with(Bounds.DEFAULT.withControl(new ControlBounds(10, 1)))
                .start()
                .ok("a", 1)
                .accepted(suspend())
                .answer("b", new TaskAnswer.Returned())
                .answer("b", new TaskAnswer.Returned())
                .accepted(new ControlCommand.ResumeRun("go on"));
    }

    /** b was canceled with its attempt under way. */
    private static Story failing() {
        return Story.of(programs()
                        .deadline(Duration.ofHours(9))
                        .onFailure(Scope.FailurePolicy.COMPENSATE)
                        .build())
                .start()
                .ok("a", 1)
                .fire("deadline", 1);
    }

    private static Story undoing() {
        return running().accepted(cancel()).answer("b", new TaskAnswer.TimedOut());
    }

    /** One event's work in each decision. */
    private static Story terminating() {
        return Story.of(program())
                .with(new Bounds(1, 100, 1 << 20, 1 << 15, 5_000_000))
                .start()
                .goOn()
                .ok("a", 1)
                .goOn()
                .accepted(terminate());
    }

    /** In a flow scope, the only kind that there is a way back in; there is no t. */
    private static Story flow() {
        return Story.of(flowOf("a", "b")).start().ok("a", 1);
    }

    private static Programs flowOf(String undoable, String... others) {
        Programs flow = Programs.flow().undoable(undoable).edge("start", undoable);
        String last = undoable;
        for (String other : others) {
            flow.strictTask(other).edge(last, other);
            last = other;
        }
        return flow.end("end").edge(last, "end");
    }

    private static Command held() {
        return WideHolds.heed(WideHolds.suspend(4, 0));
    }

    static Command suspend() {
        return new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run");
    }

    static Command drain() {
        return new ControlCommand.DrainRun(HoldPolicy.DEFAULT, Duration.ofHours(1), "upgrade", "run");
    }

    static Command cancel() {
        return new ControlCommand.CancelRun("enough", ControlCommand.Undo.RUN, Optional.empty());
    }

    static Command terminate() {
        return new ControlCommand.TerminateRun("now");
    }

    static Command rollBack() {
        return new ControlCommand.RollBack(new NodeId("a"), "again");
    }
}
