package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.APPROVED;
import static dev.flowstone.kernel.story.Asks.REJECTED;
import static dev.flowstone.kernel.story.Asks.changed;
import static dev.flowstone.kernel.story.Asks.decide;
import static dev.flowstone.kernel.story.Asks.own;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.ControlBounds;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command of people and about data, in every situation that it may meet: each answer is executed. {@code kept} is
 * buffered, to be decided when the run goes on (R25). A draining run starts nothing new, but a human task that lives may be
 * finished; people's word about what can't be undone is never kept.
 */
public final class HumanCommandTableTest {
    /** Where a line's situation ends. */
    private static final int BAR = 12;

    private static final String HUMAN = """
            situation   | Claim         Heartbeat     Release       Decide        Reassign      Delegate      Resolve
            notStarted  | NOT_STARTED   NOT_STARTED   NOT_STARTED   NOT_STARTED   NOT_STARTED   NOT_STARTED   NOT_STARTED
            unknownNode | NOT_FOUND     NOT_FOUND     NOT_FOUND     NOT_FOUND     NOT_FOUND     NOT_FOUND     NOT_FOUND
            otherKind   | INVALID_STATE INVALID_STATE INVALID_STATE INVALID_STATE INVALID_STATE INVALID_STATE INVALID_STATE
            notReached  | NOT_FOUND     NOT_FOUND     NOT_FOUND     NOT_FOUND     NOT_FOUND     NOT_FOUND     NOT_FOUND
            open        | accepted      INVALID_STATE ignored       accepted      accepted      accepted      accepted
            claimed     | accepted      accepted      accepted      accepted      accepted      accepted      accepted
            otherClaim  | CONFLICT      CONFLICT      CONFLICT      accepted      accepted      accepted      accepted
            stale       | STALE_ACTIVATION STALE_ACTIVATION STALE_ACTIVATION STALE_ACTIVATION STALE_ACTIVATION STALE_ACTIVATION STALE_ACTIVATION
            settled     | CONFLICT      CONFLICT      ignored       CONFLICT      CONFLICT      CONFLICT      CONFLICT
            failed      | CONFLICT      CONFLICT      ignored       CONFLICT      CONFLICT      CONFLICT      CONFLICT
            skipped     | CONFLICT      CONFLICT      ignored       CONFLICT      CONFLICT      CONFLICT      CONFLICT
            draining    | accepted      INVALID_STATE ignored       accepted      accepted      accepted      accepted
            ready       | INVALID_STATE INVALID_STATE ignored       INVALID_STATE INVALID_STATE INVALID_STATE INVALID_STATE
            wideDrain   | accepted      INVALID_STATE ignored       accepted      accepted      accepted      accepted
            suspended   | kept          kept          kept          kept          kept          kept          kept
            rejecting   | SUSPENDED     SUSPENDED     SUSPENDED     SUSPENDED     SUSPENDED     SUSPENDED     SUSPENDED
            wideHold    | kept          kept          kept          kept          kept          kept          kept
            wideReject  | SUSPENDED     SUSPENDED     SUSPENDED     SUSPENDED     SUSPENDED     SUSPENDED     SUSPENDED
            waived      | accepted      INVALID_STATE ignored       accepted      accepted      accepted      accepted
            catchingUp  | kept          kept          kept          kept          kept          kept          kept
            ending      | INVALID_STATE INVALID_STATE INVALID_STATE INVALID_STATE INVALID_STATE INVALID_STATE INVALID_STATE
            canceling   | CONFLICT      CONFLICT      ignored       CONFLICT      CONFLICT      CONFLICT      CONFLICT
            canceled    | CONFLICT      CONFLICT      ignored       CONFLICT      CONFLICT      CONFLICT      CONFLICT
            terminated  | CONFLICT      CONFLICT      ignored       CONFLICT      CONFLICT      CONFLICT      CONFLICT
            failing     | CONFLICT      CONFLICT      ignored       CONFLICT      CONFLICT      CONFLICT      CONFLICT
            compensating| CONFLICT      CONFLICT      ignored       CONFLICT      CONFLICT      CONFLICT      CONFLICT
            failedRun   | CONFLICT      CONFLICT      ignored       CONFLICT      CONFLICT      CONFLICT      CONFLICT
            succeeded   | CONFLICT      CONFLICT      ignored       CONFLICT      CONFLICT      CONFLICT      CONFLICT
            """;

    private static final String DATA = """
            situation   | SubjectChanged SetVariables  Attest
            notStarted  | NOT_STARTED    NOT_STARTED   NOT_STARTED
            open        | accepted       accepted      NOT_FOUND
            settled     | accepted       accepted      NOT_FOUND
            draining    | accepted       accepted      NOT_FOUND
            ready       | accepted       accepted      NOT_FOUND
            wideDrain   | accepted       accepted      NOT_FOUND
            suspended   | kept           kept          NOT_FOUND
            rejecting   | kept           SUSPENDED     NOT_FOUND
            wideHold    | kept           kept          NOT_FOUND
            wideReject  | kept           SUSPENDED     NOT_FOUND
            waived      | accepted       accepted      NOT_FOUND
            catchingUp  | kept           kept          NOT_FOUND
            ending      | accepted       INVALID_STATE NOT_FOUND
            canceling   | accepted       INVALID_STATE NOT_FOUND
            canceled    | INVALID_STATE  INVALID_STATE NOT_FOUND
            terminated  | INVALID_STATE  INVALID_STATE NOT_FOUND
            failing     | accepted       INVALID_STATE NOT_FOUND
            compensating| accepted       INVALID_STATE NOT_FOUND
            failedRun   | INVALID_STATE  INVALID_STATE NOT_FOUND
            succeeded   | INVALID_STATE  INVALID_STATE NOT_FOUND
            """;

    static List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        for (String table : List.of(HUMAN, DATA)) {
            List<String> lines = table.lines().toList();
            List<String> commands = words(lines.getFirst().substring(BAR + 1));
            for (String line : lines.subList(1, lines.size())) {
                List<String> answers = words(line.substring(BAR + 1));
                assertEquals(commands.size(), answers.size(), line);
                for (int i = 0; i < answers.size(); i++) {
                    rows.add(List.of(commands.get(i), line.substring(0, BAR).strip(), answers.get(i)));
                }
            }
        }
        return rows;
    }

    /** The commands that have a column. */
    public static Set<String> commands() {
        return rows().stream().map(List::getFirst).collect(Collectors.toSet());
    }

    private static List<String> words(String line) {
        return Arrays.asList(line.strip().split("\\s+"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void answers(List<String> row) {
        String situation = row.get(1);
        Story story = situation(situation).by("ann");
        String activation = switch (situation) {
            case "unknownNode" -> "nobody#1";
            case "otherKind" -> "start#1";
            case "notReached" -> "ask#2";
            case "skipped" -> "skip#1";
            default -> "ask#1";
        };
        RunState before = story.state();

        Decision decision = story.decide(command(row.get(0), ActivationId.parse(activation)));

        String answer = switch (decision) {
            case Decision.Accepted accepted when accepted.buffered() -> "kept";
            case Decision.Accepted accepted -> accepted.events().isEmpty() ? "ignored" : "accepted";
            case Decision.Rejected rejected -> rejected.code().name();
            case Decision.Needs needs -> needs.toString();
        };
        assertEquals(row.get(2), answer, () -> row + " " + decision);
        assertEquals(
                answer.equals("accepted") || answer.equals("kept"),
                !before.toJson().equals(story.state().toJson()));
    }

    private static Command command(String name, ActivationId id) {
        Party ann = Party.user("ann");
        Party zed = Party.user("zed");
        Duration hour = Duration.ofHours(1);
        return switch (name) {
            case "Claim" -> new HumanCommand.Claim(id, Set.of(), hour, false);
            case "Heartbeat" -> new HumanCommand.Heartbeat(id, hour);
            case "Release" -> new HumanCommand.Release(id, false);
            case "Decide" -> decide(id.toString(), REJECTED);
            case "Reassign" -> new HumanCommand.Reassign(id, Optional.of(ann), List.of(zed), "ill");
            case "Delegate" -> new HumanCommand.Delegate(id, ann, zed, Set.of(), false, "away");
            case "Resolve" -> new HumanCommand.Resolve(id, REJECTED, "late");
            case "SubjectChanged" -> changed(9);
            case "SetVariables" -> new DataCommand.SetVariables(Map.of("x", JsonNumber.of(1)), "why");
            case "Attest" -> new HumanCommand.Attest("undo", "done");
            default -> throw new AssertionError(name);
        };
    }

    private static Story situation(String name) {
        return switch (name) {
            case "notStarted" -> Story.of(loop());
            case "unknownNode", "otherKind", "notReached", "open" ->
                Story.of(loop()).start();
            case "claimed" -> Story.of(loop()).start().by("ann").accepted(claim());
            case "otherClaim" -> {
                // Somebody else in her place, as the border allowed.
                HumanCommand.Claim override =
                        new HumanCommand.Claim(ActivationId.parse("ask#1"), Set.of("cfo"), Duration.ofHours(1), true);
                yield Story.of(loop("role:cfo", "ann")).start().by("bob").accepted(override);
            }
            case "draining" ->
                Story.of(loop())
                        .start()
                        .accepted(
                                new ControlCommand.DrainRun(HoldPolicy.DEFAULT, Duration.ofHours(1), "upgrade", "run"));
            case "ready" -> ready();
            case "wideDrain" -> Story.of(loop()).start().accepted(WideHolds.heed(WideHolds.drain(1, 0)));
            case "wideHold" -> Story.of(loop()).start().accepted(WideHolds.heed(WideHolds.suspend(1, 0)));
            case "wideReject" ->
                Story.of(loop()).start().accepted(WideHolds.heed(WideHolds.suspend(1, 0, WideHolds.REJECT)));
            case "waived" ->
                Story.of(loop())
                        .start()
                        .accepted(WideHolds.heed(WideHolds.suspend(1, 0)))
                        .accepted(new ControlCommand.ResumeRun("go on"));
            case "compensating" -> compensating();
            case "suspended" -> Story.of(loop()).start().accepted(suspend(HoldPolicy.InputRule.BUFFER));
            case "rejecting" -> Story.of(loop()).start().accepted(suspend(HoldPolicy.InputRule.REJECT));
            case "catchingUp" ->
                Story.of(loop())
                        .with(Bounds.DEFAULT.withControl(new ControlBounds(10, 1)))
                        .start()
                        .accepted(suspend(HoldPolicy.InputRule.BUFFER))
                        .accepted(own(1))
                        .accepted(own(2))
                        .accepted(new ControlCommand.ResumeRun("go on"));
            case "canceling" -> Story.of(dag()).start().accepted(cancel());
            case "canceled" ->
                Story.of(dag()).start().accepted(cancel()).ok("other").ok("third");
            case "terminated" -> Story.of(dag()).start().accepted(new ControlCommand.TerminateRun("now"));
            case "stale" -> Story.of(loop()).start().by("ann").accepted(decide("ask#1", REJECTED));
            case "settled" -> Story.of(loop()).start().by("ann").accepted(decide("ask#1", APPROVED));
            case "succeeded" ->
                Story.of(loop())
                        .start()
                        .by("ann")
                        .accepted(decide("ask#1", APPROVED))
                        .ok("ship");
            case "failed" -> Story.of(loop()).start().accepted(own(1)).accepted(changed(2));
            case "skipped" -> Story.of(dag()).start();
            case "ending" ->
                Story.of(dag())
                        .with(new Bounds(1, 100, 1 << 20, 1 << 15, 5_000_000))
                        .start()
                        .goOn()
                        .failForGood("other");
            case "failing" -> Story.of(dag()).start().failForGood("other");
            case "failedRun" -> Story.of(dag()).start().failForGood("other").ok("third");
            default -> throw new AssertionError(name);
        };
    }

    /** The task was come to while the run drained: it is held back, and nobody was asked. What is at work goes on. */
    private static Story ready() {
        return Story.of(Programs.dag()
                        .tasks("first", "other")
                        .node(Asks.of("ask", "ann"))
                        .edge("start", "first")
                        .edge("first", "ask")
                        .edge("start", "other"))
                .start()
                .accepted(new ControlCommand.DrainRun(HoldPolicy.DEFAULT, Duration.ofHours(1), "upgrade", "run"))
                .ok("first");
    }

    /** The run has failed, and undoes what it did. */
    private static Story compensating() {
        Story story = Story.of(Programs.dag()
                        .onFailure(Scope.FailurePolicy.COMPENSATE)
                        .undoable("done")
                        .node(Asks.of("ask", "ann"))
                        .task("other")
                        .edge("start", "done")
                        .edge("start", "ask")
                        .edge("start", "other"))
                .start()
                .ok("done")
                .failForGood("other");
        assertEquals(RunStatus.COMPENSATING, story.status());
        return story;
    }

    private static ControlCommand suspend(HoldPolicy.InputRule input) {
        return new ControlCommand.SuspendRun(new HoldPolicy(HoldPolicy.TimerRule.FREEZE, input), "audit", "run");
    }

    private static ControlCommand cancel() {
        return new ControlCommand.CancelRun("enough", ControlCommand.Undo.SKIP, Optional.empty());
    }

    private static HumanCommand.Claim claim() {
        return new HumanCommand.Claim(ActivationId.parse("ask#1"), Set.of(), Duration.ofHours(1), false);
    }

    private static Programs loop() {
        return loop("ann");
    }

    private static Programs loop(String... asked) {
        return Programs.flow()
                .node(Asks.of("ask", asked).drift(Drift.FAIL))
                .task("ship")
                .task("mend")
                .end("end")
                .edge("start", "ask")
                .on(APPROVED, "ask", "ship")
                .on(REJECTED, "ask", "ask")
                .on(Outcome.FAILURE, "ask", "mend")
                .edge("ship", "end")
                .edge("mend", "end");
    }

    private static Programs dag() {
        return Programs.dag()
                .node(Asks.of("ask", "ann"))
                .node(Asks.of("skip", "ann"))
                .task("other")
                .task("third")
                .edge("start", "ask")
                .edge("start", "skip", "false")
                .edge("start", "other")
                .edge("start", "third");
    }
}
